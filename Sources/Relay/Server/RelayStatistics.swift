/// Sizes and counts of a relay.
public struct RelayStatistics: Hashable, Sendable {
  /// Connections with signalling.
  public internal(set) var connections = 0
  /// Sessions, with those that wait for another connection.
  public internal(set) var sessions = 0
  /// Channels with at least one user.
  public internal(set) var channels = 0
  /// Media connections.
  public internal(set) var transports = 0
  /// Users, sessions and addresses that are kept out after a ban.
  public internal(set) var banned = 0
  /// The bans that end last, 1,000 at most; some may have ended.
  public internal(set) var bans: [RelayBan] = []
  /// Counts since the beginning.
  public internal(set) var counters = RelayCounters()
  /// Each worker by its number.
  public internal(set) var workers: [RelayWorkerStatistics] = []
}
