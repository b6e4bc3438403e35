/// Result of a join.
public struct JoinedChannel: Hashable, Sendable {
  /// Name of the channel.
  public let channel: String
  /// Uid of the local user.
  public let uid: UInt32
  /// Time since the join call.
  public let elapsedMilliseconds: Int
}
