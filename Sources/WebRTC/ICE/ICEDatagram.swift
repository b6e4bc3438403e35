public import Platform

/// Datagram that an agent wants to send.
public struct ICEDatagram: Hashable, Sendable {
  /// Content of the datagram.
  public let bytes: [UInt8]
  /// Receiver.
  public let address: SocketAddress
}
