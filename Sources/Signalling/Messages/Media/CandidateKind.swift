/// Kind of a candidate.
///
/// Source: RFC 8839, section 5.1.
public enum CandidateKind: String, Hashable, Sendable, CaseIterable, NamedChoice {
  /// Address of an interface.
  case host
  /// Address that a STUN server saw.
  case serverReflexive = "srflx"
  /// Address that the peer saw.
  case peerReflexive = "prflx"
  /// Address at a TURN server.
  case relayed = "relay"

  /// Name in messages.
  public var name: String { rawValue }
}
