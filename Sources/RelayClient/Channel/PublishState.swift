/// State of the local user's stream in a channel.
public enum PublishState: Int, Hashable, Sendable, CaseIterable {
  /// No channel is joined.
  case idle = 0
  /// The channel is joined, and nothing is published: by role, option or mute.
  case notPublished = 1
  /// The stream has started, and no packet has left yet.
  case publishing = 2
  /// Packets leave.
  case published = 3
}
