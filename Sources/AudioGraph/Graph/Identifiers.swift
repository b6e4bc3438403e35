/// Identifier of a node of one graph; never reused.
public struct NodeID: Hashable, Sendable, Comparable {
  let rawValue: Int

  public static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }
}

/// Identifier of a connection of one graph; never reused.
public struct ConnectionID: Hashable, Sendable, Comparable {
  let rawValue: Int

  public static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}
