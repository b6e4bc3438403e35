import AudioGraph
import Engine
import Foundation
import MediaStreams
import OpusCodec
import RTP
import TestSupport
import Testing

/// The V bit of RFC 6464: whether somebody speaks in a packet.
@Suite(.timeLimit(.minutes(10))) struct SenderVoiceTests {
  private static let phrase = "/usr/share/sounds/alsa/Front_Center.wav"

  /// Levels of the packets of 20 ms that a voice of whole frames makes; it is muted from a tick on.
  private func levels(_ samples: [Float], channelCount: Int = 1, mutedFrom muted: Int = .max) throws -> [AudioLevel] {
    let pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: 48_000, channelCount: channelCount))
    let source = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: channelCount), sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    let sender = try PacketSender(
      SenderOptions(codec: .opus(OpusOptions(complexity: 0)), channelCount: channelCount, audioLevelIdentifier: 5),
      capacity: 1_000)
    try pipeline.startSending(through: sender)
    try pipeline.startStepping(isEndless: true)
    for tick in 0..<(samples.count / 480) {
      if tick == muted { try pipeline.muteLocalAudioStream(true) }
      // On one side only, as who sits at one microphone of two.
      let frame: [Float] = samples[tick * 480..<(tick + 1) * 480].flatMap {
        [$0] + Array(repeating: 0, count: channelCount - 1)
      }
      _ = frame.withUnsafeBufferPointer { source.push($0.span) }
      pipeline.step(atNanoseconds: tick * 10_000_000)
    }
    pipeline.finishStepping()
    var levels: [AudioLevel] = []
    while try sender.next({ bytes, _ in
      let level = try RTPPacketView(parsing: bytes).audioLevel(identifier: 5, in: bytes)
      levels.append(try #require(level))
    }) {}
    return levels
  }

  /// A second of silence, recorded speech of 1.4 s, and a second of silence.
  private func speech() throws -> [Float] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.phrase)))
    // 16 bits, mono, 48 kHz behind a header of 44 bytes.
    try #require(bytes.count > 100_000 && bytes[22] == 1 && bytes[34] == 16)
    let samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
      Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
    }
    let silence = [Float](repeating: 0, count: 48_000)
    return silence + samples + silence
  }

  @Test(
    "the voice flag is set during speech, and not in silence", .shows("audio level"),
    .enabled(if: isThere),
    arguments: [1, 2])
  func speaks(channelCount: Int) throws {
    let levels = try levels(try speech(), channelCount: channelCount)
    #expect(!levels[..<48].contains { $0.hasVoice })
    let loud = levels.filter { $0.decibelsBelowOverload < 40 }
    #expect(loud.count > 25 && loud.count { $0.hasVoice } * 10 >= loud.count * 9)
    // The end of a word is bridged for 90 ms in silence.
    #expect(!levels.suffix(35).contains { $0.hasVoice })
  }

  @Test("steady noise does not set the voice flag, however loud", .shows("audio level"))
  func noise() throws {
    let levels = try levels(seededNoise(count: 48_000 * 4, seed: 8, amplitude: 0.1))
    #expect(levels.allSatisfy { $0.decibelsBelowOverload < 40 || $0.decibelsBelowOverload == 127 })
    #expect(levels.dropFirst(50).count { $0.hasVoice } <= levels.count / 20)
  }

  @Test(
    "the voice flag of a muted speaker ends with the bridged word", .shows("audio level"),
    .enabled(if: isThere))
  func muted() throws {
    let samples = try speech()
    let whole = try levels(samples)
    let begin = try #require(whole.firstIndex { $0.hasVoice })
    let levels = try levels(samples, mutedFrom: 2 * begin + 20)
    #expect(levels[begin..<(begin + 8)].allSatisfy { $0.hasVoice })
    #expect(!levels.dropFirst(begin + 10 + 11).contains { $0.hasVoice })
  }

  private static let isThere = FileManager.default.fileExists(atPath: phrase)
}
