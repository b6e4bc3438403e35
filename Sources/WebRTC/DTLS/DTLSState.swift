public import SRTP

/// Progress of a DTLS connection.
public enum DTLSState: Hashable, Sendable {
  /// The handshake runs, or waits for the fingerprint of the peer's certificate.
  case handshaking
  /// Both ends have keys for this suite of SRTP.
  case connected(SRTPSuite)
  /// The connection is over. No keys are available from it.
  case failed(DTLSError)
  /// This end has sent its close_notify, and waits for the peer's.
  case closing
  /// The connection is over as intended.
  case closed
}
