import AudioGraph

/// A graph under edit with its runner, and a sink that hears a mono mix.
///
///     sources and chains that a test adds ──▶ mixer ──▶ end ──▶ sink
struct Rig {
  let graph: Graph
  let runner: GraphRunner
  let mixer: NodeID
  let sink = RecordingSink()

  init(sampleRate: Int = 48_000) throws {
    graph = try Graph(sampleRate: sampleRate)
    runner = GraphRunner(sampleRate: sampleRate)
    mixer = try graph.add(MixerNode(channelCount: 1), named: "mixer")
    try graph.connect(mixer, to: graph.add(sink, named: "end"))
  }

  /// Connects `nodes` to a chain that ends in the mixer. Returns: their names in the graph.
  @discardableResult
  func chain(_ name: String, _ nodes: any AudioNode...) throws -> [NodeID] {
    let ids = try nodes.enumerated().map { try graph.add($1, named: "\(name) \($0)") }
    for (from, to) in zip(ids, ids.dropFirst() + [mixer]) { try graph.connect(from, to: to) }
    return ids
  }

  /// Installs the graph as it is and renders `ticks` frames. Returns: what the sink heard in them.
  func play(ticks: Int) throws -> [Float] {
    try runner.install(graph)
    return run(ticks: ticks)
  }

  /// Renders `ticks` frames. Returns: what the sink heard in them.
  func run(ticks: Int) -> [Float] {
    let before = sink.samples.count
    runner.run(ticks: ticks)
    return Array(sink.samples[before...])
  }

  func connection(to target: NodeID, input: Int = 0) -> ConnectionID {
    graph.connections.first { $0.target.node == target && $0.target.port == input }!.id
  }

  func connection(from source: NodeID) -> ConnectionID {
    graph.connections.first { $0.source.node == source }!.id
  }
}

/// Share of the new in sample `index` of a crossfade over one frame of `count` samples.
func fadeIn(_ index: Int, of count: Int = 480) -> Float { Float(index + 1) / Float(count) }

/// The largest difference between two signals.
func largestDifference(_ left: [Float], _ right: [Float]) -> Float {
  precondition(left.count == right.count, "signals of unequal length")
  return zip(left, right).map { abs($0 - $1) }.max() ?? 0
}
