import CPlatform
import Glibc
import Platform

/// A TCP socket that listens and never waits.
final class ListeningSocket {
  /// File descriptor; the owner of the socket closes it, or passes it on with `release`.
  private(set) var descriptor: Int32

  /// Listens on an address; port 0 lets the system choose.
  init(at address: SocketAddress) throws(WebSocketError) {
    descriptor = socket(
      address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw WebSocketError(.bind(errno), address.description) }
    var isOn: Int32 = 1
    // A server that restarts takes its port back at once.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    // IPv4 has an address of its own in the list.
    if address.isIPv6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    guard address.withSystemAddress({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1_024) == 0 else {
      throw WebSocketError(.bind(errno), address.description)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Local address, with the port that the system chose.
  var localAddress: SocketAddress { SocketAddress(ofDescriptor: descriptor) }

  /// Passes the descriptor on to another owner.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Accepts the next connection of a listening descriptor.
  ///
  /// - Returns: descriptor and source address; the error (errno) otherwise, EAGAIN if no connection waits.
  static func accept(_ listener: Int32, sendBufferByteCount: Int32) -> Result<(Int32, SocketAddress), AcceptError> {
    var storage = sockaddr_storage()
    var length = socklen_t(0)
    let descriptor = cplatform_accept(listener, &storage, &length)
    guard descriptor >= 0 else { return .failure(AcceptError(number: errno)) }
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    // The kernel's share of a slow reader's bytes is bounded, too.
    var byteCount = sendBufferByteCount
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &byteCount, socklen_t(MemoryLayout<Int32>.size))
    return .success((descriptor, SocketAddress(storage, length: length).unmapped))
  }

  /// Error (errno) of `accept`.
  struct AcceptError: Error { let number: Int32 }
}
