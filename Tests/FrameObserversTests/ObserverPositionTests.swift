import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ObserverPositionTests {
  @Test("bits and default mask are those of other SDKs", .shows("F8"))
  func bits() {
    #expect(ObserverPosition.each.map(\.rawValue) == [1, 2, 4, 8, 16])
    #expect(ObserverPosition.standard == [.playback, .record])
    #expect(FrameOrigin(position: .beforeMixing, channelID: "a", uid: 7) != FrameOrigin(position: .beforeMixing))
  }

  @Test("each position calls the observers with its bit in the mask", .shows("F9"))
  func masks() throws {
    let rig = try ObserverRig(sampleRate: 8_000)
    for position in ObserverPosition.each {
      try rig.addLane(FrameOrigin(position: position), playing: [[Float](repeating: 0, count: 8_000)])
    }
    let counts = ObserverPosition.each.map { ($0, Tally()) }
    let registration = try rig.add(
      .readOnly(at: .standard) { _, source in counts.first { $0.0 == source.position }?.1.add() })
    var expected = [Int](repeating: 0, count: counts.count)
    var generator = SeededGenerator(seed: 1)
    for tick in 0..<100 {
      let mask = ObserverPosition(rawValue: tick == 0 ? 3 : UInt32.random(in: 0..<32, using: &generator))
      registration.mask = mask
      #expect(registration.mask == mask)
      rig.tick()
      for (index, (position, _)) in counts.enumerated() where mask.contains(position) { expected[index] += 1 }
      #expect(counts.map(\.1.count) == expected, "tick \(tick), seed 1")
    }
  }

  @Test("a mask change within a callback counts from the next frame")
  func changeWithinCallback() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)])
    let calls = Tally()
    let box = Box<ObserverRegistration>()
    let registration = try rig.add(
      .readOnly(at: .record) { _, _ in
        if calls.add() == 3 { box.value?.mask = [] }
      })
    box.value = registration
    rig.tick(10)
    #expect(calls.count == 3)
    registration.mask = .record
    rig.tick(2)
    #expect(calls.count == 5)
  }

  @Test("a masked position converts nothing until its bit is set", .shows("F9"))
  func nothingIsConverted() throws {
    let ones = [Float](repeating: 0.5, count: 48_000)
    let rig = try ObserverRig(sampleRate: 48_000, playing: [ones])
    let log = FrameLog()
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    let registration = try rig.add(log.request(at: [], params: [.record: params]))
    let delay = try #require(rig.hub.observationDelay(of: registration, at: rig.lanes[0].source))
    rig.tick(20)
    #expect(log.count == 0)
    #expect(registration.durations(at: .record)?.count == 0)
    registration.mask = .record
    rig.tick(20)
    #expect(log.frames.map(\.samplePosition) == (0..<20).map { 20 * 160 - delay + $0 * 160 })
    #expect(log.channel(0).prefix(delay).allSatisfy { $0 == 0 })
    #expect(log.channel(0)[delay + 160] > 16_000)
  }

  @Test("places and observers meet in any order, and a removed place is silent")
  func placesComeAndGo() throws {
    let rig = try ObserverRig(sampleRate: 8_000)
    let silence = [[Float](repeating: 0, count: 800)]
    let uids = IntegerLog()
    let request = ObserverRequest.readOnly(at: .beforeMixing) { _, source in uids.append(Int(source.uid)) }
    try rig.addLane(FrameOrigin(position: .beforeMixing, uid: 1), playing: silence)
    let registration = try rig.add(request)
    let second = try rig.addLane(FrameOrigin(position: .beforeMixing, uid: 2), playing: silence)
    try rig.install()
    rig.tick()
    #expect(uids.values.sorted() == [1, 2])
    #expect(rig.hub.observationDelay(of: registration, at: second.source) == 0)

    try rig.hub.removePlace(second.source)
    try rig.graph.remove(second.playerID)
    try rig.graph.remove(second.collectorID)
    try rig.install()
    rig.tick()
    #expect(uids.values.count == 3)
    #expect(uids.values.last == 1)
    #expect(rig.hub.observationDelay(of: registration, at: second.source) == nil)
  }

  @Test("a place can be removed after its nodes, leaving no trace in the graph")
  func removedInAnyOrder() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[0]])
    _ = try rig.hub.add(.readWrite(at: .record) { _, _ in })
    _ = try rig.hub.add(FrameLog().request())
    _ = try rig.hub.add(FrameLog().request(isAsynchronous: true))
    let lane = rig.lanes[0]
    try rig.graph.remove(lane.playerID)
    try rig.graph.remove(lane.collectorID)
    try rig.hub.removePlace(lane.source)
    try rig.hub.removePlace(lane.source)
    #expect(rig.graph.nodes.isEmpty)
    #expect(rig.graph.connections.isEmpty)
    rig.hub.finish()
  }

  @Test("a failed place leaves nothing in the graph")
  func failedPlace() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[0]])
    let nodes = rig.graph.nodes
    let stereo = try AudioFormat(sampleRate: 8_000, channelCount: 2)
    #expect(throws: GraphError.self) {
      try rig.hub.addTapPoint(
        FrameOrigin(position: .mixed), named: "bad", format: stereo, after: rig.lanes[0].playerID)
    }
    #expect(rig.graph.nodes == nodes)
    try rig.add(FrameLog().request())
    rig.tick()
  }
}
