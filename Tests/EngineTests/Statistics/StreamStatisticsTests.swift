import AudioGraph
import Engine
import FrameObservers
import MediaStreams
import Metering
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamStatisticsTests {
  /// What one packet of the null codec carries.
  private static let payload = NullPayload.byteCount

  /// Loses so many of the 100 packets of each interval of 2 s, spread evenly; never the last one, which says what was
  /// lost.
  private static func losing(_ counts: [Int]) -> Set<Int> {
    Set(
      counts.enumerated().flatMap { interval, count in
        (0..<count).map { interval * 100 + ($0 * 99 + 98) / max(1, count) - (98 / max(1, count)) }
      })
  }

  @Test("each interval of 2 s reports the bitrate and the loss of its packets", .shows("D9", "D12"))
  func interval() throws {
    let lost = Self.losing([0, 10, 0])
    #expect(lost.count == 10)
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<6_000, loss: lost))
    run.run(to: 610)
    let reports = run.log.remote
    let ticks = run.log.all.compactMap { event -> Int? in
      guard case .remoteAudioStatistics = event.kind else { return nil }
      return event.tickCount
    }
    #expect(ticks == [200, 400, 600])
    #expect(reports.allSatisfy { $0.speaker.uid == 7 && $0.channelCount == 1 && $0.sampleRate == 48_000 })
    // 50 packets a second, of 14 bytes.
    let bitrate = Double(50 * Self.payload * 8) / 1_000
    #expect(reports.map(\.receivedKilobitsPerSecond) == [bitrate, 0.9 * bitrate, bitrate])
    #expect(reports.map(\.loss) == [0, 0.1, 0])
    #expect(reports.map(\.quality.rawValue) == [1, 3, 1])
    #expect(reports.allSatisfy { $0.networkTransportDelayMilliseconds == nil && $0.totalFrozenMilliseconds == 0 })
    // Nothing else delays: the score is that of the buffer's delay, and of a tenth that was made up.
    for (report, concealed) in zip(reports, [0, 0.1, 0]) {
      #expect((10...60).contains(report.jitterBufferDelayMilliseconds))
      let score = MOSEstimate.score(
        concealed: concealed, delayMilliseconds: report.jitterBufferDelayMilliseconds)
      #expect(abs(Double(report.mos) - 100 * score) < 15)
    }
    let call = run.log.call
    #expect(call.map(\.receivedBytes) == [100, 190, 290].map { $0 * Self.payload })
    #expect(call.map(\.receivedLoss) == [0, 0.1, 0])
    #expect(call.map(\.durationMilliseconds) == [2_000, 4_000, 6_000])
    #expect(call.allSatisfy { $0.userCount == 2 && $0.sentBytes == 0 && $0.sentLoss == nil && $0.processorUse == nil })
    #expect(run.log.local.isEmpty)
  }

  @Test("frozen, active and published time are those of the states", .shows("D12"))
  func times() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(1_000..<2_000, 3_000..<5_000))
    run.run(to: 500)
    try run.pipeline.setRemoteUserMuted(7, true)
    run.run(to: 650)
    let report = try #require(run.log.remote.last)
    let frozen = run.log.states.filter { $0[2] == 3 }
    let recovered = run.log.states.filter { $0[3] == 2 }
    try #require(frozen.count == 1 && recovered.count == 1)
    let ticks = recovered[0][0] - frozen[0][0]
    #expect((70...90).contains(ticks))
    #expect(report.totalFrozenMilliseconds == 10 * ticks)
    // Up to the mute at 5 s; published from the first packet on, which was seen behind its tick.
    #expect(report.totalActiveMilliseconds == 5_000)
    #expect(report.publishMilliseconds == 3_990)
    #expect(report.frozenShare == Double(10 * ticks) / 3_990)
    #expect(report.mos == 0 && report.quality == .unknown)
  }

  @Test("packets lost before a mute count, unsent packets of the mute do not", .shows("D12"))
  func muted() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<2_500, 4_300..<8_000))
    run.run(to: 300)
    try run.pipeline.setRemoteUserMuted(7, true)
    run.run(to: 430)
    try run.pipeline.setRemoteUserMuted(7, false)
    run.run(to: 800)
    let losses = run.log.remote.map(\.loss)
    // Half a second less what the buffer holds; of the mute nobody says how much of it was sent.
    let half = try #require(losses[1])
    #expect(losses.count == 4 && losses[0] == 0 && losses[3] == 0, "\(losses)")
    #expect(half > 0.4 && half < 0.51, "\(losses)")
  }

  @Test("an outage does not lower the score after the stream's restart", .shows("D12"))
  func returning() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<4_000, 24_100..<28_000))
    run.run(to: 2_800)
    let scores = run.log.remote.map(\.mos)
    #expect(scores.count == 14 && scores[1] > 400 && scores[12] > 400 && scores[13] > 400, "\(scores)")
    #expect(scores[2...8].allSatisfy { $0 == 100 } && scores[10] == 0 && scores[11] == 0, "\(scores)")
  }

  @Test("losses of 0 to 80 % pass the grades 1 to 6 and return", .shows("D10"))
  func sweep() throws {
    let counts = [0, 3, 8, 15, 35, 80, 35, 15, 8, 3, 0]
    var run = try SteppedPipeline(
      SteppedPipeline.packets(0..<2_000 * counts.count, loss: Self.losing(counts)))
    run.run(to: 200 * counts.count)
    let grades = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    #expect(run.log.quality(7) == grades.map { [$0, 0] })
    #expect(run.log.quality(0) == grades.map { [0, $0] })
  }

  @Test("a stalled stream is graded down, an ended one unknown", .shows("D10"))
  func outage() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<2_000))
    run.run(to: 2_000)
    let grades = run.log.quality(0).map { $0[1] }
    // 15 s after the last packet, at 1980 ms, there is no stream any more.
    #expect(grades == [1] + [Int](repeating: 6, count: 7) + [0, 0])
    #expect(run.log.remote.map(\.quality.rawValue) == grades)
  }

  @Test("reported loss of sent packets passes the grades 1 to 6 and returns", .shows("D10", "D11"))
  func sent() throws {
    let losses = [0, 0.03, 0.08, 0.15, 0.35, 0.8, 0.35, 0.15, 0.08, 0.03, 0]
    var run = try SteppedPipeline([], sendsVoice: true)
    run.run(to: 200)
    for (index, loss) in losses.enumerated() {
      run.pipeline.setLinkFeedback(LinkFeedback(sentLoss: loss, roundTripMilliseconds: 80), from: 7)
      run.run(to: 400 + 200 * index)
    }
    let end = 200 + 200 * losses.count
    try run.pipeline.muteLocalAudioStream(true)
    run.run(to: end + 200)
    // Who is muted says so every 400 ms, and what was told last of that stands.
    let grades = [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 1]
    #expect(run.log.quality(0) == grades.map { [$0, 0] })
    #expect(run.log.quality(7) == grades.map { [0, $0] })
    let known: [Double?] = [nil] + losses + [0]
    #expect(run.log.local.map(\.loss) == known)
    #expect(run.log.call.map(\.sentLoss) == known)
    #expect(run.log.call.dropFirst().allSatisfy { $0.lastMileDelayMilliseconds == 80 })
    #expect(run.log.remote.dropFirst().allSatisfy { $0.networkTransportDelayMilliseconds == 40 })
    // 50 packets a second until the mute, then the one in which the voice fades, and 5 in 2 s.
    let bitrate = Double(50 * Self.payload * 8) / 1_000
    #expect(run.log.local.map(\.sentKilobitsPerSecond) == [Double](repeating: bitrate, count: 12) + [0.336])
    #expect(run.log.call.last?.sentBytes == (100 * 12 + 6) * Self.payload)
    #expect(
      run.log.local.allSatisfy {
        $0.codec == "null" && $0.channelCount == 1 && $0.sampleRate == 48_000 && $0.audioDeviceDelayMilliseconds == nil
      })
  }

  @Test("a reduced bitrate lowers the grade of the sent stream")
  func bitrate() throws {
    var run = try SteppedPipeline([], sendsVoice: true, codec: .opus(OpusOptions(bitrate: 40_000)))
    run.pipeline.setLinkFeedback(LinkFeedback(sentLoss: 0))
    run.run(to: 200)
    try run.sender?.set(OpusOptions(bitrate: 24_000))
    run.run(to: 400)
    #expect(run.log.quality(0) == [[1, 0], [3, 0]])
  }

  @Test("bytes of ended senders and of users that left stay in the sums", .shows("D9"))
  func departures() throws {
    var run = try SteppedPipeline(SteppedPipeline.packets(0..<3_000), sendsVoice: true)
    run.run(to: 300)
    try run.pipeline.addRemoteUser(8, receiving: JitterBufferOptions(codec: .null)).complete(untilNanoseconds: .max)
    try run.pipeline.stopSending(through: run.sender!)
    run.pipeline.setLinkFeedback(LinkFeedback(roundTripMilliseconds: 30), from: 7)
    try run.pipeline.removeUser(7)
    for tick in 300..<400 { run.pipeline.step(atNanoseconds: tick * 10_000_000) }
    let call = try #require(run.log.call.last)
    #expect(call.sentBytes == 150 * Self.payload && call.receivedBytes == 150 * Self.payload)
    #expect(call.sentKilobitsPerSecond == Double(50 * Self.payload * 8) / 2_000)
    #expect(call.lastMileDelayMilliseconds == nil)
  }
}
