/// An edge of a graph: from one node's output port to another's input port.
public struct Connection: Hashable, Sendable {
  /// One end of a connection.
  public struct End: Hashable, Sendable {
    /// The node.
    public let node: NodeID
    /// Index into the node's `outputs` or `inputs`.
    public let port: Int

    /// A port of a node.
    public init(node: NodeID, port: Int) {
      self.node = node
      self.port = port
    }
  }

  /// The connection's name.
  public let id: ConnectionID
  /// Where the frames come from.
  public let source: End
  /// Where they go.
  public let target: End
}
