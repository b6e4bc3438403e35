import NetworkIO
import Platform
import RelayClient

/// A WebSocket of a session.
final class RigSocket {
  var number: UInt64?
  /// Whether it carries nothing any more, and does not end.
  var isDead = false
  private weak var user: SessionUser?

  init(_ user: SessionUser) { self.user = user }

  func take(_ event: SignallingEvent) { if !isDead { user?.take(event, from: self) } }

  func end() { user?.take(.closed, from: self) }

  func fail() { user?.take(.failed(.init(.refused, "wss://relay.example/")), from: self) }
}

/// Datagrams of a membership or a preload, at an address of its own.
final class RigMedia {
  let address: SocketAddress
  /// Takes datagrams of the relay.
  var receive: ([UInt8], SocketAddress, _ now: Int) -> Void = { _, _, _ in }
  /// Whether the network carries them.
  var isOpen = true
  /// Whether it carries those to the relay.
  var isUplinkOpen = true
  private var sent: [[UInt8]] = []

  init(_ address: SocketAddress) { self.address = address }

  func send(_ bytes: [UInt8]) { sent.append(bytes) }

  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }
}
