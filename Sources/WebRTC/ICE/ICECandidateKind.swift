/// Origin of a candidate.
///
/// Source: RFC 8445, sections 5.1.1 and 5.1.2.2.
public enum ICECandidateKind: String, Sendable, CaseIterable {
  /// Address of an interface.
  case host
  /// Address that a STUN server saw.
  case serverReflexive = "srflx"
  /// Address that the peer saw in a connectivity check.
  case peerReflexive = "prflx"
  /// Address at a TURN server.
  case relay

  /// Preference of the kind, 0...126; the RFC recommends these values.
  public var preference: UInt32 {
    switch self {
    case .host: 126
    case .peerReflexive: 110
    case .serverReflexive: 100
    case .relay: 0
    }
  }
}
