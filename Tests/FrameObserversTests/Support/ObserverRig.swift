import AudioGraph
import FrameObservers

/// A graph with observable places, each between a player and a collector.
///
///     player ──▶ (place) ──▶ collector
final class ObserverRig {
  struct Lane {
    let source: FrameOrigin
    let player: PlayerNode
    let playerID: NodeID
    let collector: CollectorNode
    let collectorID: NodeID
  }

  let graph: Graph
  let hub: ObserverHub
  let runner: GraphRunner
  let room = Doorbell()
  let sampleRate: Int
  private(set) var lanes: [Lane] = []

  init(sampleRate: Int, isOffline: Bool = false) throws {
    self.sampleRate = sampleRate
    graph = try Graph(sampleRate: sampleRate)
    hub = ObserverHub(graph: graph, isOffline: isOffline, onRelease: room)
    runner = GraphRunner(sampleRate: sampleRate)
  }

  /// A rig with one place, at `position`, that plays `planes`.
  convenience init(
    sampleRate: Int, at position: ObserverPosition = .record, playing planes: [[Float]], isOffline: Bool = false
  ) throws {
    try self.init(sampleRate: sampleRate, isOffline: isOffline)
    try addLane(FrameOrigin(position: position), playing: planes)
  }

  @discardableResult
  func addLane(_ source: FrameOrigin, playing planes: [[Float]]) throws -> Lane {
    let number = graph.nodes.count
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: planes.count)
    let player = PlayerNode(planes)
    let collector = CollectorNode(channelCount: planes.count, capacity: planes[0].count)
    let playerID = try graph.add(player, named: "player \(number)")
    let anchor = try hub.addTapPoint(source, named: "place \(number)", format: format, after: playerID)
    let collectorID = try graph.add(collector, named: "collector \(number)")
    try graph.connect(anchor, to: collectorID)
    let lane = Lane(
      source: source, player: player, playerID: playerID, collector: collector, collectorID: collectorID)
    lanes.append(lane)
    return lane
  }

  /// Registers an observer; the next tick has it.
  @discardableResult
  func add(_ request: ObserverRequest) throws -> ObserverRegistration {
    let registration = try hub.add(request)
    try install()
    return registration
  }

  /// Removes an observer and its nodes; the next tick is without them.
  func remove(_ registration: ObserverRegistration) throws {
    registration.remove()
    try hub.sweep()
    try install()
  }

  func install() throws { try runner.install(graph) }

  func tick(_ count: Int = 1) {
    for _ in 0..<count { runner.tick(timeNanoseconds: runner.tickCount * 10_000_000) }
  }

  /// What arrived at the first lane's end.
  var output: [[Float]] { lanes[0].collector.planes }

  /// What the plan declares as delay from the first lane's player to its collector.
  var declaredLatency: Int { runner.plan?.latency(of: lanes[0].collectorID) ?? -1 }

  /// Samples per channel of `ticks` frames.
  func samples(inTicks ticks: Int) -> Int { FrameSchedule(sampleRate: sampleRate).position(ofFrame: ticks) }
}
