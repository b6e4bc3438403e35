public import Platform

/// Datagram that an agent wants to send.
public struct ICEDatagram: Hashable, Sendable {
  /// Content of the datagram.
  public let bytes: [UInt8]
  /// Receiver.
  public let address: SocketAddress

  /// Creates a datagram from its parts.
  package init(bytes: [UInt8], address: SocketAddress) {
    self.bytes = bytes
    self.address = address
  }
}
