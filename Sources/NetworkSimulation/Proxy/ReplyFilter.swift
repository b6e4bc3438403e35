import NetworkIO
import Platform

/// Whose datagrams a client of the proxy is given as the target's answers.
///
/// The target's host may answer from any port, as RTCP does. A host with several addresses, or one that was named by
/// 0.0.0.0, may answer from another address than the one it was asked at: that is believed of the first one that
/// answers from the target's port, unless the target itself has answered before. Whoever else sends is a stray.
///
/// Source: RFC 4787, REQ-8 (address-dependent filtering).
struct ReplyFilter {
  private let target: SocketAddress
  /// The host that has answered first.
  private var host: SocketAddress?

  init(target: SocketAddress) { self.target = target }

  /// Whether a datagram from this address is an answer.
  mutating func accepts(_ address: SocketAddress) -> Bool {
    if address.hasSameHost(as: target) {
      host = host ?? address
      return true
    }
    guard let host else {
      guard address.port == target.port else { return false }
      self.host = address
      return true
    }
    return address.hasSameHost(as: host)
  }
}
