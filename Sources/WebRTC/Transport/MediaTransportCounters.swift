/// Datagrams of a media transport.
public struct MediaTransportCounters: Hashable, Sendable {
  /// Datagrams that came.
  public internal(set) var received = 0
  /// Datagrams from addresses without a valid check, dropped in silence.
  public internal(set) var untrusted = 0
  /// Datagrams that SRTP refused: changed, or under another key.
  public internal(set) var refused = 0
  /// Datagrams that had come before.
  public internal(set) var repeated = 0
  /// Datagrams of no known protocol.
  public internal(set) var unknown = 0
}
