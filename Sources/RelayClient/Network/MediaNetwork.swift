package import NetworkIO
package import Platform

/// Network of a membership's packets: datagrams from addresses of its own.
///
/// Thread: one at a time.
package protocol MediaNetwork: AnyObject {
  /// Sends a datagram; a network that cannot take it drops it.
  func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress)
  /// Passes the next datagram that has come to `body`.
  ///
  /// - Returns: false if there is none.
  func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool
  /// Sockets to wait for.
  var sockets: [UDPSocket] { get }
  /// Time between the arrival of the newest datagram and `receive`, in nanoseconds; 0 if the network does not know it.
  var waitedNanoseconds: Int { get }
}

extension MediaNetwork {
  package var waitedNanoseconds: Int { 0 }
}
