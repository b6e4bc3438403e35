public import SRTP

/// Options of a DTLS connection.
public struct DTLSOptions: Hashable, Sendable {
  /// Suites of SRTP in the order of preference; a server's order decides.
  public var suites: [SRTPSuite]
  /// Longest datagram to send, in bytes of UDP payload.
  public var maximumByteCount: Int
  /// Longest handshake, in nanoseconds. It includes the time until the fingerprint is known.
  public var handshakeNanoseconds: Int
  /// Longest wait for the peer's close_notify, in nanoseconds.
  public var closeNanoseconds: Int

  /// Creates options. Traps for an empty list of suites, a suite twice, tags of 32 bits, or for lengths and times out
  /// of range.
  ///
  /// - Parameters:
  ///   - suites: suites of SRTP in the order of preference.
  ///   - maximumByteCount: longest datagram, 576...16384 bytes.
  ///   - handshakeNanoseconds: longest handshake, more than 0.
  ///   - closeNanoseconds: longest wait for the peer's close_notify, more than 0.
  public init(
    suites: [SRTPSuite] = [.aeadAES128GCM, .aeadAES256GCM, .aesCM128HMACSHA1_80], maximumByteCount: Int = 1200,
    handshakeNanoseconds: Int = 30_000_000_000, closeNanoseconds: Int = 1_000_000_000
  ) {
    precondition(!suites.isEmpty && Set(suites).count == suites.count, "a connection needs suites, each once")
    precondition(!suites.contains(.aesCM128HMACSHA1_32), "tags of 32 bits are for RTP without a handshake")
    precondition((576...16_384).contains(maximumByteCount), "a datagram has 576 to 16384 bytes")
    precondition(handshakeNanoseconds > 0 && closeNanoseconds > 0, "a limit is a time after now")
    self.suites = suites
    self.maximumByteCount = maximumByteCount
    self.handshakeNanoseconds = handshakeNanoseconds
    self.closeNanoseconds = closeNanoseconds
  }
}
