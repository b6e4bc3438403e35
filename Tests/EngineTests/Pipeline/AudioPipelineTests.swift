import AudioGraph
import Effects
import Engine
import FrameObservers
import GraphTestSupport
import OpusCodec
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioPipelineTests {
  @Test("MIXED has local voice and remote users, PLAYBACK only remote users", .shows("F2", "F3"))
  func localVoice() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let remote = seededNoise(count: 4_800, seed: 1, amplitude: 0.3)
    let own = seededNoise(count: 4_800, seed: 2, amplitude: 0.3)
    try pipeline.addSpeaker(7, from: try PlaneSource([remote]))
    try pipeline.setLocalSource(try PlaneSource([own], uid: 0))
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: [.mixed, .playback, .record]))
    try pipeline.runToEnd()
    #expect(seen.stream(FrameOrigin(position: .playback))[0..<4_800] == remote[...])
    #expect(seen.stream(FrameOrigin(position: .record, uid: 7))[0..<4_800] == remote[...])
    #expect(seen.stream(FrameOrigin(position: .record))[0..<4_800] == own[...])
    let mixed = seen.stream(FrameOrigin(position: .mixed))
    #expect((0..<4_800).allSatisfy { mixed[$0] == remote[$0] + own[$0] })
  }

  @Test("ear monitoring has the local voice at its volume", .shows("F7"))
  func earMonitoring() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let own = seededNoise(count: 2_400, seed: 2)
    try pipeline.setLocalSource(try PlaneSource([own], uid: 0))
    try pipeline.enableInEarMonitoring(true, volume: 50)
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .earMonitoring))
    try pipeline.runToEnd()
    let ear = seen.stream(FrameOrigin(position: .earMonitoring))
    #expect((0..<2_000).allSatisfy { ear[$0] == own[$0] * 0.5 })
  }

  @Test("users with the same uid in two channels are told apart before mixing", .shows("F5"))
  func twoChannels() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1, channelID: "one")
    try pipeline.addRemoteUser(5, from: try PlaneSource([seededNoise(count: 960, seed: 1, amplitude: 0.2)]))
    try pipeline.addRemoteUser(
      5, from: try PlaneSource([seededNoise(count: 960, seed: 2, amplitude: 0.2)]),
      options: UserOptions(channelID: "two"))
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .beforeMixing))
    try pipeline.runToEnd()
    for (channel, seed) in [("one", UInt64(1)), ("two", 2)] {
      let source = FrameOrigin(position: .beforeMixing, channelID: channel, uid: 5)
      #expect(seen.stream(source)[0..<960] == seededNoise(count: 960, seed: seed, amplitude: 0.2)[...])
    }
  }

  @Test("volume and position of a user outlive a mute")
  func positionAfterMute() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 2)
    let voice = seededNoise(count: 4_800, seed: 1, amplitude: 0.1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    try pipeline.adjustUserPlaybackSignalVolume(1, 50)
    try pipeline.setRemoteVoicePosition(1, pan: -1, gain: 80)
    try pipeline.muteRemoteAudioStream(1, true)
    try pipeline.muteRemoteAudioStream(1, false)
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .playback))
    try pipeline.runToEnd()
    let left = seen.stream(FrameOrigin(position: .playback))
    let gain = Float(0.5 * 0.8 * Double(2).squareRoot())
    #expect((0..<4_800).allSatisfy { abs(left[$0] - voice[$0] * gain) < 1e-6 })
  }

  @Test("volume, music and ear monitoring of the local voice outlive a mute")
  func localAfterMute() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let own = seededNoise(count: 4_800, seed: 1, amplitude: 0.1)
    let music = seededNoise(count: 4_800, seed: 2, amplitude: 0.1)
    try pipeline.setLocalSource(try PlaneSource([own], uid: 0))
    try pipeline.addMusic(try PlaneSource([music], uid: 9), volume: try Volume(50), to: .publishedByLocalUser)
    try pipeline.adjustRecordingSignalVolume(50)
    try pipeline.enableInEarMonitoring(true, volume: 200)
    try pipeline.muteLocalAudioStream(true)
    _ = try pipeline.latency()
    try pipeline.muteLocalAudioStream(false)
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: [.record, .earMonitoring]))
    // The unmuted voice fades in over its first frame.
    try pipeline.runToEnd()
    let sent = seen.stream(FrameOrigin(position: .record))
    let ear = seen.stream(FrameOrigin(position: .earMonitoring))
    for index in 960..<4_000 {
      let half = own[index] * 0.5 + music[index] * 0.5
      #expect(sent[index] == half)
    }
    #expect((960..<4_000).allSatisfy { ear[$0] == sent[$0] * 2 })
  }

  @Test("a run leaves the arithmetic of the caller's thread as it was")
  func denormals() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 480, seed: 1)]))
    try pipeline.runToEnd()
    let smallest = Checks.opaque(Float.leastNonzeroMagnitude)
    #expect(smallest * 2 > 0)
  }

  @Test("without any voice the diagnosis says that nothing captures", .shows("F19"))
  func diagnosis() throws {
    let pipeline = try AudioPipeline()
    let registration = try pipeline.observe(Collector().request(at: .record))
    #expect(pipeline.diagnose(registration, at: .record) == [.notRunning, .captureStopped])
    #expect(pipeline.diagnose(registration, at: .earMonitoring).contains(.maskBitUnset))
    #expect(pipeline.diagnose(registration, at: .earMonitoring).contains(.earMonitoringOff))
    registration.remove()
    #expect(pipeline.diagnose(registration, at: .record).contains(.removed))
  }

  @Test("a volume over 100 arms the limiter, and samples stay below full scale", .shows("G1"))
  func playbackVolume() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let tone = (0..<24_000).map { sine(440 * Double($0) / 48_000) * 0.9 }
    try pipeline.addRemoteUser(1, from: try PlaneSource([tone]))
    try pipeline.adjustPlaybackSignalVolume(400)
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .playback))
    try pipeline.runToEnd()
    let out = seen.stream(FrameOrigin(position: .playback))
    #expect(out.allSatisfy { abs($0) < 1 } && out[10_000..<12_000].max()! > 0.85)
  }

  @Test("values out of range are refused with a message", .shows("G1"), arguments: [-1, 401])
  func volumeRange(volume: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000, channelCount: 1)
    let source = try PlaneSource([seededNoise(count: 480, seed: 1)], sampleRate: 48_000)
    try pipeline.addSpeaker(1, from: source)
    #expect(throws: EngineError.self) { try pipeline.adjustPlaybackSignalVolume(volume) }
    #expect(throws: EngineError.self) { try pipeline.adjustRecordingSignalVolume(volume) }
    #expect(throws: EngineError.self) { try pipeline.adjustUserPlaybackSignalVolume(1, volume) }
    #expect(throws: EngineError.self) { try pipeline.removeUser(3) }
    #expect(throws: EngineError.self) { try pipeline.setRemoteVoicePosition(3, pan: 0) }
  }

  @Test("a refused user leaves no trace, and its uid can be added")
  func refusedUser() throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 44_100, channelCount: 1)
    func source() throws -> PlaneSource { try PlaneSource([seededNoise(count: 441, seed: 1)], sampleRate: 44_100) }
    let refused = [
      UserOptions(codec: OpusOptions()), UserOptions(panning: try Panning(0.5)), UserOptions(gain: Decibels(100)),
    ]
    for options in refused {
      #expect(throws: EngineError.self) { try pipeline.addSpeaker(1, from: try source(), options: options) }
    }
    try pipeline.addSpeaker(1, from: try source())
    try pipeline.muteRemoteAudioStream(1, true)
    #expect(throws: EngineError.self) { try pipeline.setRemoteVoicePosition(1, pan: 0.5) }
    try pipeline.muteRemoteAudioStream(1, false)
    try pipeline.runToEnd()
    #expect(pipeline.tickCount > 0)
    #expect(throws: EngineError.self) { try pipeline.runToEnd() }
  }

  @Test("an observer removes itself within its call during a run")
  func removeFromWithin() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: try PlaneSource([seededNoise(count: 48_000, seed: 1)]))
    let own = Guarded<ObserverRegistration?>(nil)
    let calls = Atomic<Int>(0)
    let registration = try pipeline.observe(
      .readOnly(at: .mixed) { _, _ in
        if calls.wrappingAdd(1, ordering: .relaxed).newValue == 5 { own.withLock { $0 }?.remove() }
      })
    own.withLock { $0 = registration }
    try pipeline.runToEnd()
    #expect(calls.load(ordering: .relaxed) == 5 && registration.isRemoved)
  }

  @Test("an asynchronous observer removes itself in its last call")
  func removeAtTheEnd() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: try PlaneSource([seededNoise(count: 4_800, seed: 1)]))
    let own = Guarded<ObserverRegistration?>(nil)
    let registration = try pipeline.observe(
      .readOnly(at: .mixed, isAsynchronous: true, capacity: 50) { frame, _ in
        guard frame.samplePosition > 4_000 else { return }
        try? pipeline.adjustPlaybackSignalVolume(50)
        own.withLock { $0 }?.remove()
      })
    own.withLock { $0 = registration }
    try pipeline.runToEnd()
    #expect(registration.isRemoved)
  }

  @Test("frames of a position come as an AsyncSequence, all of them, in order", .shows("F18"))
  func asyncFrames() async throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: try PlaneSource([seededNoise(count: 48_000, seed: 1)]))
    let frames = try pipeline.frames(at: .mixed, capacity: 3)
    let runner = try BackgroundThread(named: "test run") { try? pipeline.runToEnd() }
    var positions: [Int] = []
    for await frame in frames { positions.append(frame.samplePosition) }
    runner.join()
    #expect(positions.count == pipeline.tickCount && positions.count >= 100)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $1 - $0 == 480 })
  }

  @Test("a pipeline on a live thread ticks by its clock until it is stopped")
  func live() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 48_000, seed: 1)]))
    let calls = Atomic<Int>(0)
    _ = try pipeline.observe(.readOnly(at: .playback) { _, _ in calls.wrappingAdd(1, ordering: .relaxed) })
    try pipeline.start(clock: VirtualClock())
    #expect(eventually { calls.load(ordering: .relaxed) >= 1_000 })
    #expect(throws: EngineError.self) { try pipeline.start(clock: VirtualClock()) }
    pipeline.stop()
    #expect(calls.load(ordering: .relaxed) == pipeline.tickCount)
    #expect(throws: EngineError.self) { try pipeline.runToEnd() }
  }
}
