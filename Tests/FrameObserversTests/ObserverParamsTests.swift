import AudioGraph
import FrameObservers
import TestSupport
import Testing

/// Rates of a graph among those that observers see converted.
let graphRates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000]

@Suite(.timeLimit(.minutes(10))) struct ObserverParamsTests {
  private struct Case: CustomStringConvertible {
    let graphRate: Int
    let params: AudioParams
    var description: String {
      "\(graphRate) Hz to \(params.sampleRate) Hz, \(params.channelCount) channels, \(params.samplesPerCall) a call, "
        + "\(params.access)"
    }
  }

  private static func cases(from graphRate: Int, to rate: Int, access: ObserverAccess) throws -> [Case] {
    var shapes = [(1, rate / 100), (1, 1_024), (2, rate / 50), (2, rate / 100 + 1)]
    if graphRate == 11_025 || graphRate == 48_000 { shapes.append((1, rate)) }
    return try shapes.map { channels, count in
      Case(
        graphRate: graphRate,
        params: try AudioParams(
          sampleRate: rate, channelCount: channels, access: access, samplesPerCall: count * channels))
    }
  }

  @Test(
    "a reader gets samplesPerCall at the due ticks with exact positions",
    .shows("F11"),
    arguments: graphRates, AudioParams.sampleRates)
  func readers(graphRate: Int, rate: Int) throws {
    for test in try Self.cases(from: graphRate, to: rate, access: .readOnly) { try check(test) }
  }

  @Test(
    "a writer gets samplesPerCall at the due ticks and keeps other samples",
    arguments: graphRates, AudioParams.sampleRates)
  func writers(graphRate: Int, rate: Int) throws {
    for test in try Self.cases(from: graphRate, to: rate, access: .readWrite) { try check(test) }
  }

  /// Two places: one plays noise and is counted, one plays an impulse and is located.
  private func check(_ test: Case) throws {
    let (params, graphRate) = (test.params, test.graphRate)
    let ticks = params.samplesPerChannel == params.sampleRate ? 205 : 40
    let rig = try ObserverRig(sampleRate: graphRate)
    let length = rig.samples(inTicks: ticks)
    let input = [noise(length, seed: 3), noise(length, seed: 4)]
    let at = graphRate / 7
    try rig.addLane(FrameOrigin(position: .record), playing: input)
    try rig.addLane(FrameOrigin(position: .playback), playing: [impulse(at: at, count: length)])
    let counted = FrameLog()
    let located = FrameLog()
    let both = [ObserverPosition.record: params, .playback: params]
    let request: ObserverRequest =
      if params.access == .readWrite {
        .readWrite(at: .standard, params: both) { frame, source in
          (source.position == .record ? counted : located).append(frame.frame.copy())
        }
      } else {
        .readOnly(at: .standard, params: both) { frame, source in
          (source.position == .record ? counted : located).append(frame.copy())
        }
      }
    let registration = try rig.add(request)
    let delay = try #require(rig.hub.observationDelay(of: registration, at: rig.lanes[0].source))
    for tick in 0..<ticks {
      rig.tick()
      let due = rig.samples(inTicks: tick + 1) * params.sampleRate / graphRate / params.samplesPerChannel
      guard counted.count == due else {
        Issue.record("\(test): \(counted.count) calls after tick \(tick), not \(due)")
        return
      }
    }
    let frames = counted.frames
    #expect(frames.allSatisfy { $0.samples.count == params.samplesPerCall }, "\(test)")
    #expect(
      frames.map(\.samplePosition) == frames.indices.map { $0 * params.samplesPerChannel - delay }, "\(test)")
    #expect(frames.map(\.sequenceNumber) == Array(frames.indices), "\(test)")
    #expect(
      frames.allSatisfy { $0.sampleRate == params.sampleRate && $0.channelCount == params.channelCount }, "\(test)")

    let found = Signals.peak(located.channel(params.channelCount - 1)) - delay
    #expect(abs(found - at * params.sampleRate / graphRate) <= 1, "\(test): impulse at \(found)")

    let latency = rig.declaredLatency
    if params.access == .readOnly { #expect(latency == 0, "\(test)") }
    #expect(rig.output == input.map { delayed($0, by: latency) }, "\(test)")
    #expect(Signals.peak(rig.lanes[1].collector.planes[0]) == at + latency, "\(test)")
    #expect(rig.lanes[0].collector.lastPosition == rig.samples(inTicks: ticks - 1) - latency, "\(test)")
  }

  @Test("params are requested by position, and each callback has its own", .shows("F12"))
  func byPosition() throws {
    let rig = try ObserverRig(sampleRate: 48_000)
    var params: [ObserverPosition: AudioParams] = [:]
    for (position, rate) in zip(ObserverPosition.each, [8_000, 16_000, 24_000, 32_000]) {
      params[position] = try AudioParams(sampleRate: rate, channelCount: 1, samplesPerCall: rate / 50)
      try rig.addLane(FrameOrigin(position: position), playing: [noise(4_800, seed: 1)])
    }
    try rig.addLane(FrameOrigin(position: .earMonitoring), playing: [noise(4_800, seed: 1)])
    let logs = ObserverPosition.each.map { _ in FrameLog() }
    try rig.add(
      .readOnly(at: ObserverPosition(ObserverPosition.each), params: params) { frame, source in
        logs[source.position.rawValue.trailingZeroBitCount].append(frame.copy())
      })
    rig.tick(10)
    #expect(logs.map(\.count) == [5, 5, 5, 5, 10])
    #expect(logs.compactMap { $0.frames.first?.samplesPerChannel } == [160, 320, 480, 640, 480])
  }

  @Test("a contradictory request is refused")
  func refused() throws {
    let rig = try ObserverRig(sampleRate: 48_000)
    try rig.addLane(FrameOrigin(position: .record), playing: [noise(480, seed: 1)])
    let looking = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    #expect(throws: ObserverError.readOnlyChange(.record)) {
      _ = try rig.hub.add(.readWrite(at: .record, params: [.record: looking]) { _, _ in })
    }
    #expect(throws: ObserverError.severalPositions(.standard)) {
      _ = try rig.hub.add(.readOnly(at: .record, params: [.standard: looking]) { _, _ in })
    }
    #expect(throws: ObserverError.duplicatePlace(rig.lanes[0].source)) {
      _ = try rig.addLane(rig.lanes[0].source, playing: [noise(480, seed: 2)])
    }
  }
}
