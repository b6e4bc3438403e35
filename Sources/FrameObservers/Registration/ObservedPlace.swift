import AudioGraph

/// One place of the graph where observers hang: read-write ones in the path, in order of registration, read-only
/// ones beside it, each where it stood in that order.
///
///     upstream ──▶ writer ──▶ writer ──▶ anchor ──▶ the path goes on
///        └─▶ reader   └─▶ reader
final class ObservedPlace {
  /// An observer at this place.
  struct Member {
    let registration: ObserverRegistration
    let node: any ObserverNode
    let id: NodeID
    let feed: ObserverFeed?
    var isWriter: Bool { !node.outputs.isEmpty }
  }

  let source: FrameSource
  let format: AudioFormat
  let anchor: NodeID
  private(set) var members: [Member] = []
  private let upstream: Connection.End
  private var connections: [ConnectionID] = []

  init(source: FrameSource, format: AudioFormat, upstream: Connection.End, anchor: NodeID, graph: Graph)
    throws(GraphError)
  {
    self.source = source
    self.format = format
    self.upstream = upstream
    self.anchor = anchor
    try connect(in: graph)
  }

  func add(_ member: Member, to graph: Graph) throws(GraphError) {
    members.append(member)
    try connect(in: graph)
  }

  /// Returns: the members that left.
  func remove(where matches: (ObserverRegistration) -> Bool, from graph: Graph) throws(GraphError) -> [Member] {
    let leaving = members.filter { matches($0.registration) }
    if leaving.isEmpty { return [] }
    members.removeAll { matches($0.registration) }
    for member in leaving { try graph.remove(member.id) }
    try connect(in: graph)
    return leaving
  }

  private func connect(in graph: Graph) throws(GraphError) {
    let existing = Set(graph.connections.map(\.id))
    for connection in connections where existing.contains(connection) { try graph.disconnect(connection) }
    connections = []
    var tail = upstream
    for member in members {
      connections.append(try graph.connect(tail.node, output: tail.port, to: member.id))
      if member.isWriter { tail = Connection.End(node: member.id, port: 0) }
    }
    connections.append(try graph.connect(tail.node, output: tail.port, to: anchor))
  }
}
