/// Where music is heard.
public enum MusicTarget: Hashable, Sendable {
  /// In what a speaker sends, and so by everyone.
  case published(speaker: UInt32)
  /// In what the local user sends.
  case publishedByLocalUser
  /// By the listener only.
  case loopback
}
