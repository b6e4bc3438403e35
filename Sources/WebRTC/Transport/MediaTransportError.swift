/// Reason for the end of a media transport.
public enum MediaTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No candidate of the peer answers.
  case unreachable
  /// The peer has not checked the path, or answered a check, for 30 s.
  case consentLost
  /// The keys could not be agreed on.
  case dtls(DTLSError)
  /// The peer has ended the connection.
  case closedByPeer

  public var description: String {
    switch self {
    case .unreachable: "none of the peer's addresses answers; check that UDP is open to it"
    case .consentLost: "the peer has not answered for 30 s"
    case .dtls(let error): error.description
    case .closedByPeer: "the peer has ended the connection"
    }
  }
}
