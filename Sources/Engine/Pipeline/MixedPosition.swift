/// Where a sink takes its frames.
public enum MixedPosition: Hashable, Sendable {
  /// Every sound once, the local user's among them.
  case mixed
  /// The remote users.
  case playback
}
