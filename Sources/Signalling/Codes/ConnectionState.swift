/// State of the connection between a client and its relay.
public enum ConnectionState: Int, Hashable, Sendable, CaseIterable {
  /// No channel is joined.
  case disconnected = 1
  /// The first join is under way.
  case connecting = 2
  /// The channel is joined.
  case connected = 3
  /// The relay has been silent for 4 s, and the client joins again.
  case reconnecting = 4
  /// The join has failed for good; a new join may follow without a leave.
  case failed = 5
}
