import NetworkIO
import Platform

/// Decides which senders a client of the proxy accepts as the target.
///
/// The target's host may answer from any port, as RTCP does. A host with several addresses, or one named by 0.0.0.0,
/// may answer from another address than the one it was addressed by. The filter believes this of the first host that
/// answers from the target's port, unless the target itself has answered before. Any other sender is an unknown source.
///
/// Source: RFC 4787, REQ-8 (address-dependent filtering).
struct ReplyFilter {
  private let target: SocketAddress
  /// The host that answered first; nil before.
  private var host: SocketAddress?

  init(target: SocketAddress) { self.target = target }

  /// Returns whether a datagram from this address is an answer.
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
