/// The position of the frames that a sink takes.
public enum SinkPosition: Hashable, Sendable {
  /// Every sound once, the local user's among them.
  case mixed
  /// The remote users.
  case playback
}
