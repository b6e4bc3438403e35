import AudioGraph

/// One place of the graph with its observers: read-write ones in the path, in order of registration, and read-only ones
/// beside it, each at its place in that order.
///
///     upstream ──▶ writer ──▶ writer ──▶ anchor ──▶ the path goes on
///        └─▶ reader   └─▶ reader
final class TapPoint {
  /// An observer at this place.
  struct Member {
    let registration: ObserverRegistration
    let node: any ObserverNode
    let id: NodeID
    let ring: FrameRing?
    var isWriter: Bool { !node.outputs.isEmpty }
  }

  /// The connection that brings frames to a node of the tap point.
  private struct Link {
    let source: Connection.End
    let connection: ConnectionID
  }

  let source: FrameOrigin
  let format: AudioFormat
  let anchor: NodeID
  /// Whether the frames are those of a muted user.
  let isMuted: Bool
  private(set) var members: [Member] = []
  private let upstream: Connection.End
  private var links: [NodeID: Link] = [:]

  init(
    source: FrameOrigin, format: AudioFormat, upstream: Connection.End, anchor: NodeID, isMuted: Bool, graph: Graph
  ) throws(GraphError) {
    self.isMuted = isMuted
    self.source = source
    self.format = format
    self.upstream = upstream
    self.anchor = anchor
    try link(in: graph)
  }

  func add(_ member: Member, to graph: Graph) throws(GraphError) {
    members.append(member)
    try link(in: graph)
  }

  /// Removes the members that match, with their nodes.
  ///
  /// - Returns: The members that left.
  func remove(where matches: (ObserverRegistration) -> Bool, from graph: Graph) throws(GraphError) -> [Member] {
    let leaving = members.filter { matches($0.registration) }
    if leaving.isEmpty { return [] }
    members.removeAll { matches($0.registration) }
    for member in leaving { try graph.remove(member.id) }
    try link(in: graph, without: Set(leaving.map(\.id)))
    return leaving
  }

  /// Removes every node of the tap point from the graph; the nodes around it may be gone already.
  ///
  /// - Returns: The members that left.
  func dismantle(in graph: Graph) -> [Member] {
    // The only possible error is that the node has left already.
    for member in members { try? graph.remove(member.id) }
    try? graph.remove(anchor)
    defer { members = [] }
    return members
  }

  /// Connects each node to the writer before it. Existing connections of this kind stay: the work is that of the
  /// change.
  private func link(in graph: Graph, without gone: Set<NodeID> = []) throws(GraphError) {
    var tail = upstream
    for id in gone { links[id] = nil }
    for (id, isWriter) in members.map({ ($0.id, $0.isWriter) }) + [(anchor, false)] {
      if let link = links[id], link.source != tail {
        if !gone.contains(link.source.node) { try graph.disconnect(link.connection) }
        links[id] = nil
      }
      if links[id] == nil {
        links[id] = Link(source: tail, connection: try graph.connect(tail.node, output: tail.port, to: id))
      }
      if isWriter { tail = Connection.End(node: id, port: 0) }
    }
  }
}
