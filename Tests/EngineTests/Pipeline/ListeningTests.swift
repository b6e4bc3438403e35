import AudioGraph
import Engine
import FileTestSupport
import FrameObservers
import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// Which users are decoded, told by packets of the `null` codec that each name another source: of each that is decoded
/// there is one mismatch.
@Suite(.timeLimit(.minutes(10))) struct ListeningTests {
  /// Something that changes who needs a user's samples.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isDecoded: Bool
    let make: @Sendable (AudioPipeline) throws -> Void

    init(_ name: String, isDecoded: Bool, _ make: @escaping @Sendable (AudioPipeline) throws -> Void) {
      testDescription = name
      self.isDecoded = isDecoded
      self.make = make
    }
  }

  private static let changes = [
    Change("nothing", isDecoded: true) { _ in },
    Change("volume 1", isDecoded: true) { try $0.adjustUserPlaybackSignalVolume(7, 1) },
    Change("volume 0", isDecoded: false) { try $0.adjustUserPlaybackSignalVolume(7, 0) },
    Change("volume 0 and back", isDecoded: true) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.adjustUserPlaybackSignalVolume(7, 100)
    },
    Change("position with gain 0", isDecoded: false) { try $0.setRemoteVoicePosition(7, pan: 0.5, gain: 0) },
    Change("position far to the left", isDecoded: true) { try $0.setRemoteVoicePosition(7, pan: -1) },
    Change("playback at 0", isDecoded: false) { try $0.adjustPlaybackSignalVolume(0) },
    Change("muted", isDecoded: false) { try $0.muteRemoteAudioStream(7, true) },
    Change("muted, and observed", isDecoded: false) {
      try $0.muteRemoteAudioStream(7, true)
      _ = try $0.observe(.readOnly(at: .beforeMixing) { _, _ in })
    },
    Change("volume 0, observed before mixing", isDecoded: true) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      _ = try $0.observe(.readOnly(at: .beforeMixing) { _, _ in })
    },
    Change("volume 0, observed elsewhere", isDecoded: false) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      _ = try $0.observe(.readOnly(at: [.playback, .mixed, .record]) { _, _ in })
    },
    Change("volume 0, observed elsewhere and then before mixing", isDecoded: true) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.observe(.readOnly(at: .playback) { _, _ in }).mask = .beforeMixing
    },
    Change("volume 0, observed before mixing and then elsewhere", isDecoded: false) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.observe(.readOnly(at: .beforeMixing) { _, _ in }).mask = .playback
    },
    Change("volume 0, no longer observed", isDecoded: false) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.observe(.readOnly(at: .beforeMixing) { _, _ in }).remove()
    },
    Change("volume 0, with reports of volumes", isDecoded: true) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.enableAudioVolumeIndication(interval: 200)
    },
    Change("volume 0, with reports of volumes that have ended", isDecoded: false) {
      try $0.adjustUserPlaybackSignalVolume(7, 0)
      try $0.enableAudioVolumeIndication(interval: 200)
      try $0.enableAudioVolumeIndication(interval: 0)
    },
  ]

  /// Packets of so many milliseconds, each of which names another source.
  private func packets(milliseconds: Int) throws -> [TimedPacket] {
    try stride(from: 0, to: milliseconds / 20, by: 1).map { index in
      try TimedPacket(
        arrival: index * 20_000_000, payload: TimedPacket.null(index, samples: 960, source: UInt32(index)),
        sequenceNumber: UInt16(index), timestamp: UInt32(index * 960))
    }
  }

  /// Packets that are decoded in a second that begins half a second after a change.
  private func decodedCount(_ change: (AudioPipeline) throws -> Void) throws -> Int {
    var run = try SteppedPipeline(packets(milliseconds: 3_000), channelCount: 2)
    run.run(to: 100)
    try change(run.pipeline)
    run.run(to: 150)
    let before = run.source.latestSnapshot.statistics.payloadMismatches
    run.run(to: 250)
    return run.source.latestSnapshot.statistics.payloadMismatches - before
  }

  @Test(
    "a user is decoded only while it is heard, observed or measured", .shows("receive: unheard"),
    arguments: changes)
  func decoded(_ change: Change) throws {
    let count = try decodedCount(change.make)
    #expect(count == (change.isDecoded ? 50 : 0))
  }

  @Test(
    "a user at volume 0 is decoded only for a recording of this user",
    .shows("receive: unheard"),
    arguments: [(RecordingPosition.user(7), 50), (.eachUser, 50), (.user(8), 0), (.mixed, 0), (.playback, 0)])
  func recorded(_ position: RecordingPosition, _ expected: Int) throws {
    let files = TestFiles()
    for name in ["talk.7.wav", "before.7.wav"] { _ = files.path(name) }
    let (path, before) = (files.path("talk.wav"), files.path("before.wav"))
    let count = try decodedCount { pipeline in
      try pipeline.adjustUserPlaybackSignalVolume(7, 0)
      try pipeline.startAudioRecording(path, position: position)
    }
    #expect(count == expected)
    let after = try decodedCount { pipeline in
      try pipeline.adjustUserPlaybackSignalVolume(7, 0)
      try pipeline.startAudioRecording(before, position: position)
      try pipeline.stopAudioRecording(before)
    }
    #expect(after == 0)
  }

  @Test("a user at volume 0 has the same states as an audible user", .shows("receive: unheard"))
  func states() throws {
    var states: [[[Int]]] = []
    for volume in [100, 0] {
      var run = try SteppedPipeline(SteppedPipeline.packets(0..<1_000, 1_500..<2_500, 19_000..<20_000))
      try run.pipeline.adjustUserPlaybackSignalVolume(7, volume)
      run.run(to: 2_000)
      states.append(run.log.states)
    }
    #expect(states[0].map { $0[2] } == [1, 2, 3, 2, 3, 0, 1, 2])
    #expect(states[1] == states[0])
  }

  /// A way to silence a user and to hear it again.
  enum Silence: CaseIterable {
    case volume, mute

    func set(_ isSilent: Bool, in pipeline: AudioPipeline) throws {
      switch self {
      case .volume: try pipeline.adjustUserPlaybackSignalVolume(7, isSilent ? 0 : 100)
      case .mute: try pipeline.muteRemoteAudioStream(7, isSilent)
      }
    }
  }

  @Test(
    "a silenced user returns unchanged and without a click",
    .shows("receive: unheard"),
    arguments: Silence.allCases)
  func comesBack(_ silence: Silence) throws {
    let amplitude = 0.5
    let payloads = (0..<300).map { index in
      (0..<480).flatMap { sample -> [UInt8] in
        // At its peak where every fifth packet begins, that of the 200th tick among them.
        let value = Int16(32_767 * amplitude * sine64(0.25 + Double((index * 480 + sample) % 4_800) * 440 / 48_000))
        return [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
      }
    }
    let stream = try PacketStream(payloads, packetMilliseconds: 10)
    func heard(_ isSilenced: Bool) throws -> [Float] {
      var run = try SteppedPipeline(stream.packets, receiver: JitterBufferOptions(codec: .linear16()))
      let seen = Collector()
      _ = try run.pipeline.observe(seen.request(at: .playback))
      run.run(to: 101)
      if isSilenced { try silence.set(true, in: run.pipeline) }
      run.run(to: 201)
      if isSilenced { try silence.set(false, in: run.pipeline) }
      run.run(to: 290)
      return seen.stream(FrameOrigin(position: .playback))
    }
    let (samples, undisturbed) = try (heard(true), heard(false))
    #expect(abs(Double(undisturbed.max() ?? 0) - amplitude) < 1e-3)
    // Gone within three frames, nothing while it is away, back within a packet, what waits and three frames.
    #expect(samples[(104 * 480)..<(200 * 480)].allSatisfy { $0 == 0 })
    #expect(Array(samples[..<(99 * 480)]) == Array(undisturbed[..<(99 * 480)]))
    #expect(Array(samples[(209 * 480)..<(285 * 480)]) == Array(undisturbed[(209 * 480)..<(285 * 480)]))
    let step = zip(samples, samples.dropFirst()).map { abs($1 - $0) }[4_800...].max() ?? 1
    // The sine's own, and the share of two ramps of a frame each.
    #expect(Double(step) < amplitude * (2 * .pi * 440 / 48_000 + 2 / 480) + 1e-4)
  }
}
