import CallSimulation
import Channels
import Engine
import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Users that hear the loudest others, through their jitter buffers.
@Suite(.timeLimit(.minutes(10))) struct SpeakerTests {
  private let calls = ChannelCalls()

  /// Four users: 1 to 3 speak in turns of 4 s with a word of 400 ms at each beginning, and 4 only listens.
  private func run(speakers: Int, delay: Int = 30, loss: Double = 0) throws -> CallResult {
    var call = try calls.call(
      4, seconds: 26, conditions: try ChannelCalls.delay(delay, loss: loss), each: "out\(speakers)")
    call.users = try (1...4).map { uid in
      CallUser(uid: UInt32(uid), path: try speech(UInt32(uid), turn: uid - 1, seconds: 24))
    }
    call.codec = .opus(OpusOptions())
    call.maximumSpeakerCount = speakers
    call.logsStatistics = true
    return try call.run()
  }

  /// A voice whose level wanders, above faint noise, in every third span of 4 s.
  private func speech(_ uid: UInt32, turn: Int, seconds: Int) throws -> String {
    let path = calls.files.path("speech\(uid).wav")
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let voice = try calls.files.voice("voice\(uid).wav", seed: UInt64(uid), seconds: Double(seconds))
    var samples = try calls.files.samples((voice as NSString).lastPathComponent)
    var random = SeededGenerator(seed: UInt64(uid))
    for index in samples.indices {
      let speaks = turn < 3 && index / 192_000 % 3 == turn
      samples[index] = (speaks ? samples[index] : 0) + Float.random(in: -0.0005...0.0005, using: &random)
    }
    return try calls.files.write(samples, to: path)
  }

  @Test("one speaker at a time is heard whole, without a loss or a freeze", .shows("speakers", "simulate: channels"))
  func turns() throws {
    let (all, one) = (try run(speakers: 0), try run(speakers: 1))
    let (reference, chosen) = (try calls.files.samples("out0/4.wav"), try calls.files.samples("out1/4.wav"))
    // The first 100 ms of each turn are there, up to 300 ms later.
    for turn in 1...5 {
      let likeness = likeness(of: reference[turn * 192_000..<turn * 192_000 + 4_800], in: chosen)
      #expect(likeness > 0.9, "turn \(turn): \(likeness)")
    }
    for listener in one.listeners where listener.uid == 4 {
      for voice in listener.heard {
        #expect(voice.statistics.packetsLost == 0, "\(voice.uid)")
        #expect(voice.statistics.frozenSamples == 0, "\(voice.uid)")
      }
    }
    let stops = one.events.filter { event in
      guard case .pipeline(.remoteAudioState(let change), 4) = event.kind else { return false }
      return change.state == .frozen || change.state == .stopped && event.seconds < 24
    }
    #expect(stops.isEmpty, "\(stops)")
    let forwarded = { (result: CallResult) in result.relayCounters.first { $0.name == "forwarded" }?.value ?? 0 }
    #expect(Double(forwarded(one)) < 0.4 * Double(forwarded(all)))
  }

  @Test("the delay of a speaker returns to that before, by time-stretch", .shows("speakers"))
  func delay() throws {
    let result = try run(speakers: 1)
    let listener = try #require(result.listeners.first { $0.uid == 4 })
    for voice in listener.heard where voice.uid < 4 {
      // The burst of 200 ms is played faster: 3 s later the delay is that of a call.
      let last = try #require(voice.seconds.last { $0.packets > 40 })
      #expect(last.delayMilliseconds ?? 1_000 < 150, "\(voice.uid): \(last)")
      #expect(voice.statistics.removedSamplesForAcceleration > 0)
    }
  }

  /// Largest correlation of a part with the sound at its place or up to 300 ms later, 0 to 1.
  private func likeness(of part: ArraySlice<Float>, in sound: [Float]) -> Double {
    var best = 0.0
    for lag in stride(from: 0, through: 14_400, by: 4) {
      var (product, first, second) = (0.0, 1e-9, 1e-9)
      for index in stride(from: part.startIndex, to: part.endIndex, by: 4) {
        let (a, b) = (Double(part[index]), Double(sound[index + lag]))
        product += a * b
        first += a * a
        second += b * b
      }
      best = max(best, product / (first * second).squareRoot())
    }
    return best
  }
}
