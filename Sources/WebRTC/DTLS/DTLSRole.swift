/// Role in the handshake: SDP's attribute `setup` decides it.
///
/// Source: RFC 5763, section 5.
public enum DTLSRole: Sendable, BitwiseCopyable {
  /// Sends the first message: `setup:active`.
  case client
  /// Waits for the first message: `setup:passive`.
  case server
}
