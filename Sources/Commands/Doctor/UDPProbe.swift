import CommandLineKit
import Glibc

/// Whether a datagram arrives over the loopback interface.
struct UDPProbe: Hashable, Sendable {
  /// Error number of the call that failed; 0 if the datagram arrived.
  let errorNumber: Int32

  init(errorNumber: Int32) { self.errorNumber = errorNumber }

  /// Sends one datagram to itself, and waits for at most a second.
  init() { self.init(errorNumber: Self.roundTrip()) }

  var isWorking: Bool { errorNumber == 0 }

  /// Advice if nothing arrived.
  var advice: String? {
    guard !isWorking else { return nil }
    return
      "UDP does not work on 127.0.0.1 (\(systemErrorText(errorNumber))); bring the loopback interface up with "
      + "'ip link set lo up', and let the firewall or the sandbox pass it."
  }

  private static func roundTrip() -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: sockaddr_in begins like sockaddr; the calls take every kind of address in this form.
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0 else {
          return errno
        }
        let sent: [UInt8] = Array("audiopipe".utf8)
        guard sendto(descriptor, sent, sent.count, 0, address, length) == sent.count else { return errno }
        var received = [UInt8](repeating: 0, count: sent.count + 1)
        let count = recv(descriptor, &received, received.count, 0)
        guard count >= 0 else { return errno }
        return Array(received.prefix(count)) == sent ? 0 : EIO
      }
    }
  }
}
