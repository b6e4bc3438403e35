/// The position of the frames that a sink takes.
public enum SinkPosition: Hashable, Sendable {
  /// Every sound once, including the local user's.
  case mixed
  /// The remote users.
  case playback
  /// The sound for a loudspeaker: the remote users, music and effects that are heard here, and ear monitoring while it
  /// is on. The local voice is heard only through ear monitoring.
  case playout
}
