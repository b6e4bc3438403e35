/// The position of the frames that a sink takes.
public enum SinkPosition: Hashable, Sendable {
  /// Every sound once, including the local user's.
  case mixed
  /// The remote users.
  case playback
}
