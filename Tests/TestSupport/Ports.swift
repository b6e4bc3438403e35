import Glibc
import Synchronization

/// Ports for programs that have to be told one.
package enum Ports {
  private static let taken = Mutex<Set<UInt16>>([])

  /// An even port of UDP and TCP that is free on this machine, as the next one is, never given twice in this process.
  ///
  /// Below those that the system gives to sockets of its own accord, so that no other program gets it in between.
  package static func pair() throws -> Int {
    for _ in 0..<1_000 {
      let port = UInt16.random(in: 5_000..<16_000) * 2
      guard taken.withLock({ $0.insert(port).inserted }), isFree(port), isFree(port + 1) else { continue }
      return Int(port)
    }
    throw NoPort()
  }

  private struct NoPort: Error {}

  private static func isFree(_ port: UInt16) -> Bool {
    [SOCK_DGRAM, SOCK_STREAM].allSatisfy { kind in
      let socket = Glibc.socket(AF_INET, Int32(kind.rawValue), 0)
      guard socket >= 0 else { return false }
      defer { close(socket) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
  }
}
