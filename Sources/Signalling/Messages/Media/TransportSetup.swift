/// Side of the DTLS handshake that a peer takes.
///
/// Source: RFC 4145, section 4; RFC 5763, section 5.
public enum TransportSetup: String, Hashable, Sendable, CaseIterable, NamedChoice {
  /// The peer begins the handshake.
  case active
  /// The peer waits for the handshake.
  case passive
  /// The peer of an offer leaves the choice to the answer.
  case actpass

  /// Name in messages.
  public var name: String { rawValue }
}
