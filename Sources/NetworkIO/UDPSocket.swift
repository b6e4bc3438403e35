import CPlatform
import Glibc

/// A UDP socket that never waits.
///
/// Thread: one at a time.
public final class UDPSocket {
  /// Bytes of the longest datagram.
  public static let maximumByteCount = 65_535

  /// The file descriptor, for `wait`.
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)

  /// A socket at `address`; with port 0 the system chooses one.
  public init(at address: SocketAddress) throws(NetworkError) {
    descriptor = socket(
      address.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    // From here on the socket is complete, and `deinit` closes it whatever is thrown.
    guard descriptor >= 0 else { throw NetworkError(.bind(errno), address.description) }
    let code = address.withSystemAddress { bind(descriptor, $0, $1) }
    guard code == 0 else { throw NetworkError(.bind(errno), address.description) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// Where it is; the port that the system chose, too.
  public var localAddress: SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { pointer in
      // SAFETY: sockaddr_storage has room for every kind of address, and begins like sockaddr.
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return SocketAddress(storage, length: length)
  }

  /// Sends a datagram. Returns: false where the system did not take it; UDP promises nothing, and so it is as if lost.
  @discardableResult
  public func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) -> Bool {
    address.withSystemAddress { target, length in
      sendto(descriptor, datagram.baseAddress, datagram.count, 0, target, length) == datagram.count
    }
  }

  /// Hands the next datagram that waits to `body`, with where it came from. Returns: nil when there is none.
  public func receive<Result>(_ body: (UnsafeRawBufferPointer, SocketAddress) throws -> Result) rethrows -> Result? {
    while true {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &storage) { pointer in
        // SAFETY: as in `localAddress`.
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
        }
      }
      if count >= 0 {
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), SocketAddress(storage, length: length))
      }
      // What an earlier datagram's target answered (ECONNREFUSED) is told once, in place of a datagram.
      guard errno == EINTR || errno == ECONNREFUSED else { return nil }
    }
  }

  /// Waits until one of several sockets has a datagram, at most so long; a signal ends it too.
  public static func wait(for sockets: [UDPSocket], atMostNanoseconds limit: Int) {
    var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    cplatform_poll(&entries, UInt(entries.count), max(0, limit))
  }
}
