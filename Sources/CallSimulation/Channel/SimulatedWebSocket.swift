import NetworkSimulation

/// A WebSocket between a user and the relay, with the handshakes of TCP and HTTP.
final class SimulatedWebSocket {
  /// Content of one direction.
  enum Content {
    /// First packet of TCP's handshake, and its answer.
    case connect, accept
    /// Request of a WebSocket, and its answer.
    case upgrade, opened
    case message(String)
    case closed
  }

  /// Number of the connection at the relay.
  let number: UInt64
  var toRelay = OrderedStream<Content>()
  var toUser = OrderedStream<Content>()
  /// Whether the relay knows it.
  var isKnownToRelay = false

  init(number: UInt64) { self.number = number }

  var nextNanoseconds: Int? {
    let next = min(toRelay.nextNanoseconds ?? .max, toUser.nextNanoseconds ?? .max)
    return next == .max ? nil : next
  }
}
