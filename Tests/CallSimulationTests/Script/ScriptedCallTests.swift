import AudioFiles
import AudioGraph
import CallSimulation
import Engine
import Foundation
import FrameObservers
import MediaStreams
import Metering
import NetworkSimulation
import OpusCodec
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ScriptedCallTests {
  private let files = CallFiles()

  /// Three seconds of users who say sines of 200, 300 ... Hz, with packets of 20 ms.
  private func call(_ count: Int, _ events: String, each folder: String? = nil) throws -> SimulatedCall {
    var call = SimulatedCall(users: [], durationSeconds: 3)
    for uid in 1...UInt32(count) {
      call.users.append(CallUser(uid: uid, path: try files.tone(Double(100 + 100 * uid), seconds: 3)))
    }
    call.codec = .opus(OpusOptions(packetDuration: .milliseconds20, forwardErrorCorrection: true))
    call.script = try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in throw CancellationError() }
    call.outputs = CallOutputs(eachFolder: try folder.map(files.folder), sampleFormat: .float32)
    return call
  }

  /// The greatest magnitude from one second of a sound to another.
  private func peak(_ samples: [Float], _ from: Double, _ to: Double) -> Float {
    samples[Int(from * 48_000)..<Int(to * 48_000)].reduce(0) { max($0, abs($1)) }
  }

  /// The amplitude of a sine in a stretch of whole tenths of a second.
  private func amplitude(_ samples: [Float], _ hertz: Double, _ from: Double, _ to: Double) -> Double {
    toneAmplitude(of: hertz, in: samples[Int(from * 48_000)..<Int(to * 48_000)], sampleRate: 48_000)
  }

  @Test("a user muted at either end gets no score", .shows("simulate: script"))
  func notJudged() throws {
    let call = try call(
      3,
      "{\"time_s\": 0, \"name\": \"mute\", \"user\": 1, \"listener\": 2}, {\"time_s\": 0.2, \"name\": \"mute\", \"user\": 3}"
    )
    let listeners = try call.run().listeners
    for listener in listeners {
      for heard in listener.heard {
        let isJudged = heard.seconds.map { $0.mos != nil }
        switch (listener.uid, heard.uid) {
        case (2, 1):
          #expect(heard.mos == nil && !isJudged.contains(true) && heard.packetsSent > 100, "\(heard.seconds)")
        // Up to half a second of silence is said.
        case (_, 3): #expect(heard.mos != nil && isJudged == [true, true, false], "\(heard.seconds)")
        default: #expect(heard.mos! > 4 && isJudged == [true, true, true], "\(heard.seconds)")
        }
      }
    }
  }

  @Test(
    "a muted voice sends nothing, and its file has silence",
    .shows("simulate: script"))
  func mute() throws {
    var call = try call(
      2,
      "{\"time_s\": 1, \"name\": \"mute\", \"user\": 1}, {\"time_s\": 2, \"name\": \"unmute\", \"user\": 1}",
      each: "mute")
    call.conditions = try NetworkConditions(delay: .milliseconds(40))
    let heard = try call.run().listeners[1].heard[0]
    // A second less than three, in packets of 20 ms; the one in which it fades, half a second of silence, and then
    // twice that there is nothing to hear.
    #expect(heard.packetsSent == 100 + 1 + 25 + 2)
    // Nothing is taken for a loss.
    #expect(heard.statistics.concealedSamples == 0 && heard.statistics.frozenSamples == 0)
    #expect(heard.statistics.packetsLost == 0)
    let delay = heard.delay.meanMilliseconds / 1_000
    let sound = try files.samples("mute/2_from_1.wav")
    #expect(sound.count == 144_000)
    #expect(peak(sound, 0.95 + delay, 0.99 + delay) > 0.2)
    #expect(peak(sound, 1.2 + delay, 1.99 + delay) < 1e-3)
    #expect(peak(sound, 2.05 + delay, 2.1 + delay) > 0.2)
    #expect(peak(try files.samples("mute/1_from_2.wav"), 1.2, 1.9) > 0.2)
  }

  @Test(
    "a user muted by one listener is silent for that listener alone",
    .shows("simulate: script"))
  func muteForOne() throws {
    _ = try call(
      3,
      """
      {"time_s": 1.004, "name": "mute", "user": 1, "listener": 2},
      {"time_s": 2, "name": "unmute", "user": 1, "listener": 2}
      """, each: "one"
    ).run(onEvent: { event in
      guard case .script = event.kind else { return }
      // The first tick that is not before.
      #expect([1_010_000_000, 2_000_000_000].contains(event.nanoseconds))
    })
    let sound = try files.samples("one/2_from_1.wav")
    #expect(sound.count == 144_000)
    // One frame fades out.
    #expect(peak(sound, 1, 1.01) > 0.2 && peak(sound, 1.02, 2) == 0 && peak(sound, 2.01, 2.02) > 0.2)
    #expect(peak(try files.samples("one/3_from_1.wav"), 1.5, 1.52) > 0.2)
    #expect(peak(try files.samples("one/2_from_3.wav"), 1.5, 1.52) > 0.2)
  }

  @Test(
    "a network change affects the packets of its time and its links",
    .shows("simulate: script"))
  func network() throws {
    let result = try call(
      3,
      """
      {"time_s": 2, "name": "network", "loss_percent": 0, "from": 1, "to": 2},
      {"time_s": 1, "name": "network", "loss_percent": 100, "from": 1, "to": 2},
      {"time_s": 2.5, "name": "network", "duplicate_percent": 100}
      """
    ).run()
    for listener in result.listeners {
      for heard in listener.heard {
        #expect(heard.packetsSent == 150)
        #expect(heard.link.lost == (listener.uid == 2 && heard.uid == 1 ? 50 : 0))
        #expect(heard.link.duplicated == 25)
      }
    }
    let times = result.events.compactMap { event -> Int? in
      guard case .script = event.kind else { return nil }
      return event.nanoseconds
    }
    #expect(times == [1_000_000_000, 2_000_000_000, 2_500_000_000])
  }

  @Test(
    "a late user sends and hears from its join, and its files are whole",
    .shows("simulate: script"))
  func joining() throws {
    let result = try call(
      3,
      """
      {"time_s": 1.505, "name": "join", "user": 3}, {"time_s": 2, "name": "leave", "user": 2},
      {"time_s": 2.5, "name": "join", "user": 2}
      """, each: "join"
    ).run()
    func heard(_ listener: Int, _ uid: UInt32) -> HeardUser {
      result.listeners[listener - 1].heard.first { $0.uid == uid }!
    }
    // 149 ticks are left: 74 whole packets of the one who comes, and 75 of the other that end in them. 2 is there for
    // 2 s and 0.5 s.
    #expect(heard(1, 3).packetsSent == 74 && heard(3, 1).packetsSent == 75)
    #expect(heard(2, 1).packetsSent == 125 && heard(1, 2).packetsSent == 125)
    #expect(heard(1, 3).seconds.map(\.timeSeconds).prefix(2) == [1, 2])
    for listener in result.listeners {
      for heard in listener.heard {
        #expect(heard.statistics.ledger.imbalance() == 0)
        #expect(heard.link.sent == heard.packetsSent)
      }
      for other in 1...3 where other != listener.uid {
        #expect(try files.samples("join/\(listener.uid)_from_\(other).wav").count == 144_000)
      }
    }
    for name in ["join/1_from_3.wav", "join/3_from_1.wav"] {
      let sound = try files.samples(name)
      #expect(peak(sound, 0, 1.51) == 0 && peak(sound, 1.65, 2.9) > 0.2)
    }
    for name in ["join/1_from_2.wav", "join/2_from_1.wav"] {
      let sound = try files.samples(name)
      #expect(peak(sound, 1.9, 2) > 0.2 && peak(sound, 2.1, 2.5) == 0 && peak(sound, 2.65, 2.9) > 0.2)
    }
  }

  @Test("a user that has left hears nothing, and its files last the whole call")
  func alone() throws {
    var call = try call(2, "{\"time_s\": 0.5, \"name\": \"leave\", \"user\": 2}", each: "alone")
    call.users[1].path = try files.tone(900, seconds: 0.2)
    let result = try call.run()
    #expect(result.listeners.allSatisfy { $0.heard[0].packetsSent == 25 })
    for name in ["1", "2", "1_from_2", "2_from_1"] {
      let count = try files.samples("alone/\(name).wav").count
      #expect(count == 144_000, "\(name)")
    }
  }

  @Test(
    "a position follows the pan law, and a volume is a factor", .shows("simulate: script"),
    arguments: [-1.0, -0.3, 0.5, 1])
  func position(pan: Double) throws {
    _ = try call(
      2,
      """
      {"time_s": 1, "name": "position", "user": 1, "listener": 2, "pan": \(pan)},
      {"time_s": 2, "name": "userVolume", "user": 1, "listener": 2, "volume": 50}
      """, each: "pan\(pan)"
    ).run()
    let voice = try files.samples("pan\(pan)/2_from_1.wav")
    let (left, right) = try stereo("pan\(pan)/2.wav")
    func gain(_ ear: [Float], _ from: Double) -> Double {
      amplitude(ear, 200, from, from + 0.5) / amplitude(voice, 200, from, from + 0.5)
    }
    let angle = (pan + 1) * .pi / 4
    for (start, factor) in [(1.2, 1.0), (2.2, 0.5)] {
      #expect(abs(gain(left, start) - factor * 2.0.squareRoot() * cos(angle)) < 1e-4)
      #expect(abs(gain(right, start) - factor * 2.0.squareRoot() * sin(angle)) < 1e-4)
    }
    #expect(abs(gain(left, 0.3) - 1) < 1e-4 && abs(gain(right, 0.3) - 1) < 1e-4)
  }

  private func stereo(_ name: String) throws -> ([Float], [Float]) {
    let reader = try AudioFileReader.open(path: files.path(name))
    let count = reader.samplesPerChannel ?? 0
    var planes = [Float](repeating: 0, count: 2 * count)
    let got = try planes.withUnsafeMutableBufferPointer {
      try reader.read(into: $0.baseAddress!, stride: count, maximumCount: count)
    }
    #expect(got == count && count == 144_000)
    return (Array(planes[..<count]), Array(planes[count...]))
  }

  @Test(
    "a published effect is heard by others, a local one by its player",
    .shows("simulate: script"))
  func effects() throws {
    let path = try files.tone(1_000, seconds: 0.5)
    let result = try call(
      2,
      """
      {"time_s": 1, "name": "playEffect", "user": 2, "id": 1, "file": "\(path)"},
      {"time_s": 2, "name": "playEffect", "user": 2, "id": 2, "file": "\(path)", "publish": false},
      {"time_s": 2.1, "name": "stopEffect", "user": 2, "id": 3}
      """, each: "effects"
    ).run()
    let other = try files.samples("effects/1_from_2.wav")
    let own = try files.samples("effects/2_mixed.wav")
    #expect(amplitude(other, 1_000, 1.2, 1.4) > 0.2 && amplitude(other, 1_000, 2.2, 2.4) < 1e-3)
    #expect(amplitude(own, 1_000, 1.2, 1.4) > 0.2 && amplitude(own, 1_000, 2.2, 2.4) > 0.2)
    var ends: [Int: Double] = [:]
    for event in result.events {
      switch event.kind {
      case .pipeline(.effectFinished(let id), user: 2): ends[id] = event.seconds
      case .script(let index, _, let refusal): #expect((refusal != nil) == (index == 2))
      default: break
      }
    }
    // Its own length after it began, behind the one or two frames in which its way to the mixer is faded in.
    for (id, start) in [(1, 1.0), (2, 2.0)] {
      let length = try #require(ends[id]) - start
      #expect(length > 0.5 - 1e-6 && length < 0.52 + 1e-6, "\(ends)")
    }
  }

  @Test("music plays, pauses and stops at the ticks of a drifting user", .shows("simulate: script"))
  func music() throws {
    let path = try files.tone(1_000, seconds: 3)
    var call = try call(
      2,
      """
      {"time_s": 0.5, "name": "startMusic", "user": 1, "file": "\(path)", "replace": true},
      {"time_s": 1, "name": "pauseMusic", "user": 1}, {"time_s": 1.5, "name": "resumeMusic", "user": 1},
      {"time_s": 2, "name": "stopMusic", "user": 1}
      """, each: "music")
    call.users[0].driftPartsPerMillion = 1_000
    var states: [MusicState] = []
    var times: [Double] = []
    for event in try call.run().events {
      switch event.kind {
      case .pipeline(.music(let state, _), user: 1): states.append(state)
      case .pipeline(.remoteMusicStarted, user: 2), .pipeline(.remoteMusicFinished, user: 2): continue
      case .script(_, _, nil): times.append(event.seconds)
      case .pipeline(.remoteAudioState, _): break
      default: Issue.record("\(event)")
      }
    }
    #expect(states == [.playing, .paused, .playing, .stopped])
    // Its ticks are 10 ms / 1.001 apart.
    for (time, wanted) in zip(times, [0.5, 1, 1.5, 2]) {
      let tick = 0.01 / 1.001
      #expect(abs(time - (wanted / tick).rounded(.up) * tick) < 1e-8)
    }
    let sound = try files.samples("music/2_from_1.wav")
    #expect(amplitude(sound, 200, 0.7, 0.9) < 0.01 && amplitude(sound, 1_000, 0.7, 0.9) > 0.1)
    #expect(amplitude(sound, 1_000, 1.2, 1.4) < 0.01 && amplitude(sound, 200, 2.2, 2.4) > 0.2)
  }

  @Test(
    "others are notified of sent music at its beginning and its end",
    .shows("M3"))
  func remoteMusic() throws {
    let path = try files.tone(1_000, seconds: 1.2)
    let result = try call(
      4,
      """
      {"time_s": 0.5, "name": "startMusic", "user": 1, "file": "\(path)"},
      {"time_s": 0.8, "name": "startMusic", "user": 2, "file": "\(path)", "publish": false},
      {"time_s": 1, "name": "join", "user": 4},
      {"time_s": 1.2, "name": "pauseMusic", "user": 1}, {"time_s": 1.3, "name": "resumeMusic", "user": 1},
      {"time_s": 1.5, "name": "leave", "user": 3}
      """
    ).run()
    var told: [String] = []
    for event in result.events {
      switch event.kind {
      case .pipeline(.remoteMusicStarted(let id), let user):
        told.append("\(id.uid) begins at \(event.seconds) for \(user)")
      case .pipeline(.remoteMusicFinished(let id), let user):
        told.append("\(id.uid) ends at \(event.seconds) for \(user)")
      default: continue
      }
    }
    // 500 ms, the frame that brings it in, 1.2 s, and a pause of 95 ms: it ends within the tick that is over at 1.81 s.
    #expect(
      told == [
        "1 begins at 0.51 for 2", "1 begins at 0.51 for 3", "1 begins at 1.0 for 4", "1 ends at 1.81 for 2",
        "1 ends at 1.81 for 4",
      ])
  }

  @Test("the active speaker is reported on request", .shows("simulate: script"))
  func activeSpeaker() throws {
    let result = try call(
      3,
      """
      {"time_s": 0, "name": "reportActiveSpeaker", "listener": 3},
      {"time_s": 0, "name": "recordingVolume", "user": 1, "volume": 10},
      {"time_s": 1.5, "name": "recordingVolume", "user": 1, "volume": 100},
      {"time_s": 1.5, "name": "mute", "user": 2}
      """
    ).run()
    let speakers = result.events.compactMap { event -> UInt32? in
      guard case .pipeline(.activeSpeaker(let id), user: 3) = event.kind else { return nil }
      return id.uid
    }
    #expect(speakers == [2, 1])
  }

  @Test(
    "script events that do not fit the call are refused by number", .shows("simulate: wrong scripts"),
    arguments: [
      ("{\"time_s\": 3, \"name\": \"mute\", \"user\": 1}", "event 0: 3 s is not within the call, which lasts 3 s"),
      ("{\"time_s\": 1, \"name\": \"mute\", \"user\": 7}", "event 0: 7 is not a user of the call; the users are 1, 2"),
      ("{\"time_s\": 1, \"name\": \"mute\", \"user\": 1, \"listener\": 1}", "does not hear itself"),
      (
        "{\"time_s\": 1, \"name\": \"playbackVolume\", \"listener\": 0, \"volume\": 1}",
        "nobody listens who says nothing"
      ),
      (
        "{\"time_s\": 2, \"name\": \"join\", \"user\": 1}, {\"time_s\": 1, \"name\": \"mute\", \"user\": 1}",
        "event 1: user 1 is not in the call at 1 s"
      ),
      (
        "{\"time_s\": 1, \"name\": \"join\", \"user\": 1}, {\"time_s\": 2, \"name\": \"join\", \"user\": 1}",
        "event 1: user 1 is in the call already"
      ),
      ("{\"time_s\": 1, \"name\": \"network\", \"jitter_ms\": 20}", "event 0: a uniform jitter"),
      (
        "{\"time_s\": 1, \"name\": \"startMusic\", \"user\": 1, \"file\": \"/none\"}",
        "event 0: /none: there is no such file"
      ),
    ])
  func refusals(events: String, words: String) throws {
    let call = try call(2, events)
    let error = #expect(throws: ScriptError.self) { try call.run() }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
