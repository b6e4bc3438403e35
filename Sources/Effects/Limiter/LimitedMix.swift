package import AudioGraph

/// Sum of some paths of a graph, behind a limiter.
///
///     paths ─▶ mixer ─▶ limiter ─▶ anchor
///
/// Thread: control, one at a time.
package struct LimitedMix {
  package let channelCount: Int
  private let mixer: NodeID
  /// Node; its output 0 is the sum.
  package let anchor: NodeID

  package init(channelCount: Int, named name: String, in graph: Graph) throws {
    self.channelCount = channelCount
    mixer = try graph.add(MixerNode(channelCount: channelCount), named: "mix for \(name)")
    anchor = try graph.add(
      LimiterNode(channelCount: channelCount, sampleRate: graph.sampleRate, isArmed: true),
      named: "limiter of the mix for \(name)")
    try graph.connect(mixer, to: anchor)
  }

  /// Connects the mixer to these nodes, and to no others.
  package func connect(_ nodes: [NodeID], in graph: Graph) throws {
    let present = graph.connections.filter { $0.target.node == mixer }
    for connection in present where !nodes.contains(connection.source.node) { try graph.disconnect(connection.id) }
    for node in nodes where !present.contains(where: { $0.source.node == node }) { try graph.connect(node, to: mixer) }
  }

  package func remove(from graph: Graph) throws { for node in [mixer, anchor] { try graph.remove(node) } }
}
