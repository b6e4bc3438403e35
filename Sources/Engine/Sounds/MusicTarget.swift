/// Destination of music.
public enum MusicTarget: Hashable, Sendable {
  /// The sound that a speaker sends; everyone hears it.
  case published(speaker: UInt32)
  /// The sound that the local user sends.
  case publishedByLocalUser
  /// The listener only.
  case loopback
}
