import NetworkIO
import Platform
import Testing

@testable import WebRTC

/// Sockets of this machine's own address, with the clock and the loop of an agent.
final class ICESockets {
  private let sockets: [UDPSocket]
  private let start = ContinuousClock.now
  /// Datagrams that are not STUN's.
  private(set) var data: [[UInt8]] = []
  /// STUN datagrams that came.
  private(set) var messageCount = 0
  /// Datagrams of the agent.
  private(set) var sentCount = 0

  init(_ count: Int = 1) throws {
    sockets = try (0..<count).map { _ in try UDPSocket(at: ICEMessages.address("127.0.0.1", 0)) }
  }

  var ports: [UInt16] { sockets.map(\.localAddress.port) }

  var now: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// Runs an agent until a condition holds, for 10 s at most. Returns: whether it held.
  func run(_ end: (any ICEEnd)?, until condition: () throws -> Bool) rethrows -> Bool {
    let limit = now + 10_000_000_000
    while now < limit {
      if try condition() { return true }
      // The condition may be another program's, so it is looked at every 5 ms.
      let pause = min(5_000_000, (end?.deadline ?? .max) - now)
      UDPSocket.wait(for: sockets, atMostNanoseconds: max(0, pause))
      if let end, let deadline = end.deadline, deadline <= now { send(end.poll(now)) }
      for socket in sockets {
        while let (bytes, source) = socket.receive({ (Array($0), $1) }) {
          if bytes.first.map({ $0 > 3 }) == true {
            data.append(bytes)
          } else {
            messageCount += 1
            if let end { send(end.receive(bytes, from: source, now), through: socket) }
          }
        }
      }
    }
    return false
  }

  func send(_ bytes: [UInt8], to address: SocketAddress) {
    _ = bytes.withUnsafeBytes { sockets[0].send($0, to: address) }
  }

  private func send(_ output: ICEOutput, through socket: UDPSocket? = nil) {
    for datagram in output.datagrams {
      sentCount += 1
      _ = datagram.bytes.withUnsafeBytes { (socket ?? sockets[0]).send($0, to: datagram.address) }
    }
  }
}
