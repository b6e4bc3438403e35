/// A leaf of the graph that is attached to a path; the path may come and go.
///
///     path ──▶ [channels] ──▶ mixer ──▶ leaf
///
/// Mixer and leaf stay in the graph; without a path the leaf receives silence.
///
/// Thread: control, one at a time.
package struct DetachableTap {
  private let name: String
  private let channelCount: Int
  private let mixer: NodeID
  private let leaf: NodeID
  private var upstream: NodeID?
  private var map: NodeID?

  package init(_ node: any AudioNode, named name: String, channelCount: Int, in graph: Graph) throws {
    self.name = name
    self.channelCount = channelCount
    mixer = try graph.add(MixerNode(channelCount: channelCount), named: "way to \(name)")
    leaf = try graph.add(node, named: name)
    try graph.connect(mixer, to: leaf)
  }

  /// Whether there is a path.
  package var isConnected: Bool { upstream != nil }

  /// Connects the leaf to `node`; nil: to nothing. A node that has left the graph must not be named any more.
  package mutating func connect(_ node: NodeID?, channelCount wanted: Int, in graph: Graph) throws {
    guard node != upstream else { return }
    for connection in graph.connections where connection.target.node == mixer {
      try graph.disconnect(connection.id)
    }
    if let map { try graph.remove(map) }
    map = nil
    upstream = node
    guard let node else { return }
    if wanted == 1 || wanted == channelCount {
      try graph.connect(node, to: mixer)
      return
    }
    let map = try graph.add(ChannelMapNode(from: wanted, to: channelCount), named: "channels to \(name)")
    try graph.connect(node, to: map)
    try graph.connect(map, to: mixer)
    self.map = map
  }

  package func remove(from graph: Graph) throws {
    for node in [leaf, mixer, map].compactMap({ $0 }) { try graph.remove(node) }
  }
}
