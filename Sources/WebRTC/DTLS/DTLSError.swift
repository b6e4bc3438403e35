/// Reason why a DTLS connection failed.
public enum DTLSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The peer's certificate has none of the fingerprints of its description: it may be another's.
  case fingerprintMismatch
  /// The two ends have no protection profile for SRTP in common.
  case noCommonSRTPProfile
  /// The peer ended the connection with this alert (RFC 5246, section 7.2).
  case alert(UInt8)
  /// The peer sent messages that break the protocol, or offers nothing that is supported. OpenSSL's reason, or 0.
  case protocolError(reason: Int32)
  /// The handshake took longer than its limit.
  case timeout

  public var description: String {
    switch self {
    case .fingerprintMismatch: "the peer's certificate does not have the fingerprint of its description"
    case .noCommonSRTPProfile: "the peer supports none of the SRTP profiles offered"
    case .alert(let number): "the peer ended the DTLS connection with alert \(number)"
    case .protocolError(let reason):
      "the DTLS handshake failed: \(DTLSSession.text(ofReason: reason) ?? "unknown reason") (\(reason))"
    case .timeout: "the DTLS handshake did not finish in time; check that both directions of UDP are open"
    }
  }
}
