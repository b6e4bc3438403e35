import AudioGraph
import Effects

/// Path of a part of the local user's sound to a sender: the voice or the music alone.
///
///     voice, or each sound of the music ─▶ mixer ─▶ limiter ─▶ sender
///
/// Thread: control, under the pipeline's lock.
struct PartialPath {
  let channelCount: Int
  private let mixer: NodeID
  /// Node; its output 0 is the part.
  let anchor: NodeID

  init(channelCount: Int, named name: String, in graph: Graph) throws {
    self.channelCount = channelCount
    mixer = try graph.add(MixerNode(channelCount: channelCount), named: "part for \(name)")
    anchor = try graph.add(
      LimiterNode(channelCount: channelCount, sampleRate: graph.sampleRate, isArmed: true),
      named: "limiter of the part for \(name)")
    try graph.connect(mixer, to: anchor)
  }

  /// Connects the mixer to these nodes, and to no others.
  func connect(_ nodes: [NodeID], in graph: Graph) throws {
    let present = graph.connections.filter { $0.target.node == mixer }
    for connection in present where !nodes.contains(connection.source.node) { try graph.disconnect(connection.id) }
    for node in nodes where !present.contains(where: { $0.source.node == node }) { try graph.connect(node, to: mixer) }
  }

  func remove(from graph: Graph) throws { for node in [mixer, anchor] { try graph.remove(node) } }
}
