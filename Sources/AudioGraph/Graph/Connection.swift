/// An edge of a graph: from one node's output port to another's input port.
public struct Connection: Hashable, Sendable {
  /// One end of a connection.
  public struct End: Hashable, Sendable {
    /// Node of this end.
    public let node: NodeID
    /// Index into the node's `outputs` or `inputs`.
    public let port: Int

    /// Creates an end at a port of a node.
    public init(node: NodeID, port: Int) {
      self.node = node
      self.port = port
    }
  }

  /// Identifier of the connection.
  public let id: ConnectionID
  /// End that the frames come from.
  public let source: End
  /// End that the frames go to.
  public let target: End
}
