import CPlatform
import Glibc
public import Platform

/// A UDP socket that never waits.
///
/// Thread: one at a time.
public final class UDPSocket {
  /// Size of the longest datagram, in bytes.
  public static let maximumByteCount = 65_535

  /// File descriptor, for `wait`.
  let descriptor: Int32
  private let watchesRefusals: Bool
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)

  /// Error (errno) of the last datagram that the system did not take; nil if it has taken all.
  public private(set) var sendError: Int32?

  /// Datagrams that the kernel has dropped since the beginning, because the receive buffer was full.
  package var droppedCount: Int { Int(cplatform_dropped(descriptor)) }

  /// Asks for a receive buffer. The default one holds about 250 packets of sound.
  ///
  /// - Parameter byteCount: wanted size, in bytes.
  /// - Returns: size that the system gives; `sysctl net.core.rmem_max` limits it.
  package func setReceiveBuffer(byteCount: Int) -> Int {
    Int(cplatform_set_receive_buffer(descriptor, Int32(clamping: byteCount)))
  }

  /// Creates a socket at `address`; with port 0 the system chooses a port. The address of a group is joined on every
  /// interface, and other programs may listen to it too.
  ///
  /// - Parameters:
  ///   - address: local address, or the address of a group.
  ///   - watchesRefusals: whether `takeRefusals` reports refused datagrams.
  ///   - isIPv6Only: whether a socket at `[::]` leaves IPv4 to another socket of the port.
  public init(
    at address: SocketAddress, watchesRefusals: Bool = false, isIPv6Only: Bool = false
  ) throws(NetworkError) {
    self.watchesRefusals = watchesRefusals
    descriptor = socket(
      address.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    // The socket is complete from here on, so that `deinit` closes it after any error.
    guard descriptor >= 0 else { throw NetworkError(.bind(errno), address.description) }
    if watchesRefusals { cplatform_watch_refusals(descriptor) }
    if address.isMulticast {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    if address.isIPv6, isIPv6Only {
      var isOn: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    // A group within one link has no address to bind to without that link's number.
    let own = address.isMulticast && address.isIPv6 ? try SocketAddress("[::]:\(address.port)") : address
    let code = own.withSystemAddress { bind(descriptor, $0, $1) }
    guard code == 0 else { throw NetworkError(.bind(errno), address.description) }
    guard address.isMulticast else { return }
    let joined = address.withSystemAddress { group, _ in cplatform_join_group(descriptor, group) }
    guard joined == 0 else { throw NetworkError(.join(errno), address.description) }
  }

  /// Checks whether this machine has a route to `address`, without sending anything.
  ///
  /// - Throws: `NetworkError` with the reason if it has none.
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

  /// Local address, with the port that the system chose.
  public var localAddress: SocketAddress { SocketAddress(ofDescriptor: descriptor) }

  /// Sends a datagram. UDP guarantees nothing, so a datagram that the system does not take is as good as lost.
  ///
  /// - Returns: false if the system did not take the datagram.
  @discardableResult
  public func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) -> Bool {
    address.withSystemAddress { target, length in
      // If refusals are watched, the system reports an earlier datagram's refusal once, in place of sending this one.
      for _ in 0..<(watchesRefusals ? 2 : 1) {
        if sendto(descriptor, datagram.baseAddress, datagram.count, 0, target, length) == datagram.count { return true }
        sendError = errno
      }
      return false
    }
  }

  /// Passes the destination and the error (errno) of each refused datagram to `body`, as far as ICMP reports it. Each
  /// refusal is reported once.
  ///
  /// Most hosts report at most one refusal a second.
  public func takeRefusals(_ body: (SocketAddress, Int32) -> Void) {
    var storage = sockaddr_storage()
    var length = socklen_t(0)
    while case let code = cplatform_next_refusal(descriptor, &storage, &length), code != 0 {
      body(SocketAddress(storage, length: length), code)
    }
  }

  /// Passes the next waiting datagram and its source address to `body`.
  ///
  /// - Returns: Result of `body`; nil if no datagram waits.
  public func receive<Result>(_ body: (UnsafeRawBufferPointer, SocketAddress) throws -> Result) rethrows -> Result? {
    while true {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &storage) { pointer in
        // SAFETY: as in `SocketAddress(ofDescriptor:)`.
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
        }
      }
      if count >= 0 {
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), SocketAddress(storage, length: length))
      }
      // The system reports the refusal of an earlier datagram once, in place of a datagram.
      switch errno {
      case EINTR, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH: continue
      default: return nil
      }
    }
  }

  /// Waits until one of `sockets` has a datagram, one of `descriptors` is readable, a signal arrives, or `limit`
  /// nanoseconds are over.
  public static func wait(for sockets: [UDPSocket], or descriptors: [Int32] = [], atMostNanoseconds limit: Int) {
    // The stack holds the entries of a few sockets, as most programs have.
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: sockets.count + descriptors.count) { entries in
      for index in entries.indices {
        let descriptor =
          index < sockets.count ? sockets[index].descriptor : descriptors[index - sockets.count]
        entries.initializeElement(at: index, to: pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
      cplatform_poll(entries.baseAddress, UInt(entries.count), max(0, limit))
    }
  }
}
