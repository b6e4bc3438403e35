/// Reason of a remote user's absence.
public enum OfflineReason: Int, Hashable, Sendable, CaseIterable {
  /// The user has left the channel.
  case quit = 0
  /// No packet came from the user for the profile's time limit.
  case dropped = 1
  /// The user is a member of the audience now.
  case becameAudience = 2
}
