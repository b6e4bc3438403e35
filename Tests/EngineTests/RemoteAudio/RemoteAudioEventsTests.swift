import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import MediaStreams
import Metering
import StreamTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteAudioEventsTests {
  /// A second of sound, half a second that is lost, a second of sound, then nothing until the 19th second.
  private static func packets() throws -> [TimedPacket] {
    try SteppedPipeline.packets(0..<1_000, 1_500..<2_500, 19_000..<20_000)
  }

  @Test("a stream begins, freezes, recovers, goes offline and begins again", .shows("D5"))
  func life() throws {
    var run = try SteppedPipeline(Self.packets())
    run.run(to: 2_000)
    let states = run.log.states
    #expect(
      states.map { Array($0[1...]) } == [
        [7, 1, 0], [7, 2, 0], [7, 3, 1], [7, 2, 2], [7, 3, 1], [7, 0, 7], [7, 1, 0], [7, 2, 0],
      ])
    guard states.count == 8 else { return }
    let ticks = states.map { $0[0] }
    // The first packet is there at the first tick, and played some frames later.
    let delay = ticks[1] - ticks[0]
    #expect(ticks[0] == 1 && (0...5).contains(delay))
    // What came last lasts for a second and the delay; 200 ms of concealment are over 20 frames later.
    #expect((120...122).contains(ticks[2] - delay))
    #expect((151...160).contains(ticks[3]))
    // The last packet came at 2480 ms, and nothing was lost before: a pause that nobody had announced.
    #expect((270...280).contains(ticks[4]))
    // The first tick that is more than 15 s later begins at 17490 ms.
    #expect(ticks[5] == 1_750)
    #expect(ticks[6] == 1_901)
    #expect(run.log.changes.map(\.elapsedMilliseconds) == ticks.map { 10 * $0 })
  }

  @Test("a local mute is reported at once, its end with a decoded frame", .shows("D5"))
  func localMute() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<4_000))
    run.run(to: 50)
    try run.pipeline.muteRemoteAudioStream(7, true)
    run.run(to: 80)
    try run.pipeline.muteRemoteAudioStream(7, false)
    run.run(to: 150)
    try run.pipeline.disableAudio()
    try run.pipeline.muteRemoteAudioStream(7, true)
    run.run(to: 200)
    try run.pipeline.enableAudio()
    run.run(to: 250)
    try run.pipeline.muteAllRemoteAudioStreams(false)
    run.run(to: 260)
    let states = run.log.states.dropFirst(2)
    #expect(states.map { Array($0[2...]) } == [[0, 3], [2, 4], [0, 3], [2, 4]])
    let ticks = states.map { $0[0] }
    #expect(ticks[0] == 50 && (81...83).contains(ticks[1]) && ticks[2] == 150 && (251...253).contains(ticks[3]))
  }

  @Test("a user's own mute is reported twice and does not count as a freeze", .shows("D7"))
  func remoteMute() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<1_000, 20_000..<21_000))
    run.run(to: 100)
    try run.pipeline.setRemoteUserMuted(7, true)
    try run.pipeline.setRemoteUserMuted(7, true)
    run.run(to: 1_990)
    try run.pipeline.setRemoteUserMuted(7, false)
    run.run(to: 2_050)
    #expect(run.log.states.dropFirst(2).map { Array($0[2...]) } == [[0, 5], [1, 6], [2, 0]])
    #expect(run.log.states[2][0] == 100 && run.log.states[3][0] == 2_001)
    let mutes = run.log.all.compactMap { event -> [Int]? in
      guard case .remoteMuted(let id, let isMuted) = event.kind else { return nil }
      return [event.tickCount, Int(id.uid), isMuted ? 1 : 0]
    }
    #expect(mutes == [[100, 7, 1], [1_990, 7, 0]])
    #expect(run.log.remote.last?.totalFrozenMilliseconds == 0)
    let error = #expect(throws: EngineError.self) { try run.pipeline.setRemoteUserMuted(8, true) }
    #expect(error?.code == .invalidArgument)
  }

  @Test("a user that leaves goes offline, unless it was silent already")
  func leaving() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<4_000))
    _ = try run.pipeline.addRemoteUser(8, receiving: JitterBufferOptions(codec: .null)).complete(untilNanoseconds: .max)
    run.run(to: 50)
    try run.pipeline.removeUser(8)
    try run.pipeline.removeUser(7)
    for tick in 50..<52 { run.pipeline.step(atNanoseconds: tick * 10_000_000) }
    #expect(run.log.states.dropFirst(2) == [[50, 7, 0, 7]])
  }

  @Test("50 undecodable packets are a failure until one can be decoded")
  func failure() throws {
    let bad = try (0..<60).map { index in
      try TimedPacket(
        arrival: index * 20_000_000, payload: [1, 2, 3], sequenceNumber: UInt16(index), timestamp: UInt32(index * 960))
    }
    var run = try SteppedPipeline(bad + SteppedPipeline.packets(1_200..<2_000))
    run.run(to: 200)
    // The 50th comes at 980 ms.
    #expect(run.log.states.first == [99, 7, 4, 0])
    #expect(run.log.states.dropFirst().map { Array($0[2...]) } == [[2, 0]])
  }

  @Test("a failure ends 15 s after the last packet that could not be decoded")
  func failureEnds() throws {
    let bad = try (0..<60).map { index in
      try TimedPacket(
        arrival: index * 20_000_000, payload: [1, 2, 3], sequenceNumber: UInt16(index), timestamp: UInt32(index * 960))
    }
    var run = try SteppedPipeline(bad)
    run.run(to: 1_800)
    // The last one comes at 1180 ms; the first tick that is more than 15 s later begins at 16190 ms.
    #expect(run.log.states == [[99, 7, 4, 0], [1_620, 7, 0, 7]])
  }

  @Test("a new source of a quiet user is reported as the same user", .shows("rtp: other sources"))
  func restart() throws {
    let restarted = try SteppedPipeline.packets(2_000..<3_000).map { packet in
      var packet = packet
      // The source is in bytes 8 to 11 (RFC 3550).
      packet.bytes[11] ^= 0xFF
      return packet
    }
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<1_000) + restarted)
    run.run(to: 300)
    let report = run.source.latestSnapshot
    #expect(report.statistics.streamsBegun == 2 && report.statistics.sourceChanges == 1)
    #expect(run.log.states.map { Array($0[2...]) } == [[1, 0], [2, 0], [3, 1], [2, 2]])
    let changes = run.log.all.compactMap { event -> [Int]? in
      guard case .remoteSourceChanged(let id, let ssrc) = event.kind else { return nil }
      return [event.tickCount, Int(id.uid), Int(ssrc)]
    }
    // The second packet is there at the tick of 2020 ms.
    #expect(changes == [[203, 7, 0x5EED ^ 0xFF]] && report.ssrc == 0x5EED ^ 0xFF)
  }

  @Test("elapsed time counts from the beginning of the call")
  func elapsed() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(1_000..<2_000))
    run.run(to: 60)
    run.pipeline.restartCallTime()
    run.run(to: 200)
    #expect(run.log.changes.first?.elapsedMilliseconds == 410)
    #expect(run.log.call.last?.durationMilliseconds == 1_400)
  }

  @Test("a live run reports the same events at the same ticks", .shows("D5"))
  func live() throws {
    var stepped = try SteppedPipeline(Self.packets())
    stepped.run(to: 700)
    let pipeline = try AudioPipeline(channelCount: 1)
    let log = StreamEventLog(pipeline)
    let source = try pipeline.addRemoteUser(7, receiving: JitterBufferOptions(codec: .null))
    let clock = GatedClock()
    try pipeline.start(clock: clock)
    var packets = try Self.packets()[...]
    for tick in 0..<700 {
      while let packet = packets.first, packet.arrival <= tick * 10_000_000 {
        packet.bytes.withUnsafeBytes { _ = source.receive($0, arrivalNanoseconds: packet.arrival) }
        packets = packets.dropFirst()
      }
      clock.open(untilNanoseconds: tick * 10_000_000)
      try #require(eventually { pipeline.tickCount > tick })
      // What was counted is kept for an interval; here that is no time at all.
      try #require(eventually { log.call.count >= pipeline.tickCount / 200 })
    }
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
    #expect(log.states.count > 4)
    let events = log.all.filter { $0.tickCount <= 700 }
    #expect(events.map(\.kind) == stepped.log.all.map(\.kind))
    #expect(events.map(\.tickCount) == stepped.log.all.map(\.tickCount))
  }
}
