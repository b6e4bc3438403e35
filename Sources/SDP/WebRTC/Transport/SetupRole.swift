/// Side of a DTLS handshake, as in SDP's `setup`.
///
/// Source: RFC 4145, section 4; RFC 8842, section 5.2.
public enum SetupRole: String, Sendable, CaseIterable {
  /// The author accepts either role; the answer decides.
  case activeOrPassive = "actpass"
  /// The author is the DTLS client, which sends the first message.
  case active
  /// The author is the DTLS server.
  case passive
  /// The author does not want a connection for now.
  case holdConnection = "holdconn"

  /// Role of an answer to this role. An offer of both roles gets `established`, or else `passive`.
  ///
  /// - Parameter established: role of the answering side in the existing DTLS connection; nil without one.
  /// - Returns: the role; nil if the offer does not want a connection.
  func answer(established: SetupRole?) -> SetupRole? {
    switch self {
    case .activeOrPassive: established == .active ? .active : .passive
    case .active: .passive
    case .passive: .active
    case .holdConnection: nil
    }
  }
}
