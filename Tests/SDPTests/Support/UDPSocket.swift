import Glibc

/// A socket on this machine's own address.
final class UDPSocket {
  let port: UInt16
  private let descriptor: Int32

  /// Binds to a port, or to one that is free.
  init?(port: UInt16 = 0) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    self.descriptor = descriptor
    var address = Self.address(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    // The descriptor is closed when this goes, also by failing.
    if !isBound { return nil }
  }

  deinit { close(descriptor) }

  /// An even port and the odd one above it, as RTP and RTCP have them.
  static func pair() -> (rtp: UDPSocket, rtcp: UDPSocket) {
    while true {
      if let rtp = UDPSocket(), rtp.port % 2 == 0, let rtcp = UDPSocket(port: rtp.port + 1) { return (rtp, rtcp) }
    }
  }

  /// What has arrived by now.
  func received() -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    var memory = [UInt8](repeating: 0, count: 2000)
    while case let count = recv(descriptor, &memory, memory.count, Int32(MSG_DONTWAIT)), count >= 0 {
      datagrams.append(Array(memory[..<count]))
    }
    return datagrams
  }

  func send(_ datagram: [UInt8], to port: UInt16) {
    var address = Self.address(port)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, datagram, datagram.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
