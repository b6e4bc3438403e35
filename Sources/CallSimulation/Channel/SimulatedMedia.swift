import Channels
import NetworkIO
import Platform
import Signalling

/// The datagrams of one membership on a simulated path, at a port of its own.
final class SimulatedMedia: MediaNetwork {
  /// The user's address for these datagrams, as the relay sees it.
  var address: SocketAddress
  /// Datagrams that have arrived.
  var datagrams: [[UInt8]] = []
  /// Channel of the membership.
  let channel: ChannelName
  private let path: ChannelPath

  init(_ path: ChannelPath, _ address: SocketAddress, channel: ChannelName) {
    self.path = path
    self.channel = channel
    self.address = address
  }

  var sockets: [UDPSocket] { [] }

  func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) { path.send(datagram, from: self) }

  func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool {
    guard !datagrams.isEmpty else { return false }
    datagrams.removeFirst().withUnsafeBytes { body($0, SimulatedRelay.address) }
    return true
  }
}
