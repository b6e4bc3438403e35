import CPlatform
import Glibc
public import Platform

/// A UDP socket that never waits.
///
/// Thread: one at a time.
public final class UDPSocket {
  /// Bytes of the longest datagram.
  public static let maximumByteCount = 65_535

  /// The file descriptor, for `wait`.
  private let descriptor: Int32
  private let watchesRefusals: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)

  /// Why the last datagram that the system did not take was not taken (errno); nil where it has taken all.
  public private(set) var sendError: Int32?

  /// A socket at `address`; with port 0 the system chooses one. A group's address is joined on every interface, and
  /// others may listen to it too.
  ///
  /// - Parameter watchesRefusals: whether `takeRefusals` is told what comes back.
  public init(at address: SocketAddress, watchesRefusals: Bool = false) throws(NetworkError) {
    self.watchesRefusals = watchesRefusals
    descriptor = socket(
      address.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    // From here on the socket is complete, and `deinit` closes it whatever is thrown.
    guard descriptor >= 0 else { throw NetworkError(.bind(errno), address.description) }
    if watchesRefusals { cplatform_watch_refusals(descriptor) }
    if address.isMulticast {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    // A group within one link has no address to bind to without that link's number.
    let own = address.isMulticast && address.isIPv6 ? try SocketAddress("[::]:\(address.port)") : address
    let code = own.withSystemAddress { bind(descriptor, $0, $1) }
    guard code == 0 else { throw NetworkError(.bind(errno), address.description) }
    guard address.isMulticast else { return }
    let joined = address.withSystemAddress { group, _ in cplatform_join_group(descriptor, group) }
    guard joined == 0 else { throw NetworkError(.join(errno), address.description) }
  }

  /// Whether this machine knows a way to `address`; nothing is sent. Throws: why it does not.
  public static func checkWay(to address: SocketAddress) throws(NetworkError) {
    let descriptor = socket(address.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw NetworkError(.unreachable(errno), address.description) }
    defer { close(descriptor) }
    let code = address.withSystemAddress { connect(descriptor, $0, $1) }
    guard code == 0 else { throw NetworkError(.unreachable(errno), address.description) }
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
      // Where refusals are watched, an earlier datagram's is told in place of sending this one, once.
      for _ in 0..<(watchesRefusals ? 2 : 1) {
        if sendto(descriptor, datagram.baseAddress, datagram.count, 0, target, length) == datagram.count { return true }
        sendError = errno
      }
      return false
    }
  }

  /// Hands to `body` where datagrams did not get to, and why (errno), as far as somebody has said so by ICMP; each is
  /// told once.
  ///
  /// Most hosts say so once a second at most.
  public func takeRefusals(_ body: (SocketAddress, Int32) -> Void) {
    var storage = sockaddr_storage()
    var length = socklen_t(0)
    while case let code = cplatform_next_refusal(descriptor, &storage, &length), code != 0 {
      body(SocketAddress(storage, length: length), code)
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
      // What came back about an earlier datagram is told once, in place of a datagram.
      switch errno {
      case EINTR, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH: continue
      default: return nil
      }
    }
  }

  /// Waits until one of several sockets has a datagram, at most so long; a signal ends it too.
  public static func wait(for sockets: [UDPSocket], atMostNanoseconds limit: Int) {
    // On the stack for as few as most have.
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: sockets.count) { entries in
      for index in sockets.indices {
        entries.initializeElement(
          at: index, to: pollfd(fd: sockets[index].descriptor, events: Int16(POLLIN), revents: 0))
      }
      cplatform_poll(entries.baseAddress, UInt(entries.count), max(0, limit))
    }
  }
}
