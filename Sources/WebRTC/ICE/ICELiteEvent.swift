public import Platform

/// Change at a lite agent.
public enum ICELiteEvent: Hashable, Sendable {
  /// An address has passed a check, without being nominated. Early DTLS datagrams from it may be answered.
  case validated(SocketAddress)
  /// The peer has nominated its first address: packets go there from now on.
  case selected(SocketAddress)
  /// A check has proposed an address, which needs a proof.
  case proposed(SocketAddress)
  /// The peer has nominated another address, or is proved to be at another one: packets go there from now on.
  case moved(from: SocketAddress, to: SocketAddress)
}
