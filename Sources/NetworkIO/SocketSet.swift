import CPlatform
import Glibc
import Platform

/// Many sockets to wait for at once; the cost of a wait does not grow with their count.
///
/// Thread: one at a time.
package final class SocketSet {
  private static let capacity = 256
  private let descriptor: Int32
  private let numbers = UnsafeMutablePointer<UInt>.allocate(capacity: SocketSet.capacity)

  /// Creates an empty set.
  ///
  /// - Throws: `NetworkError` if the system gives no descriptor.
  package init() throws(NetworkError) {
    numbers.initialize(repeating: 0, count: Self.capacity)
    descriptor = cplatform_make_set()
    guard descriptor >= 0 else { throw NetworkError(.bind(errno), "a set of sockets") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    numbers.deallocate()
  }

  /// Adds a socket with a number of the caller's; it leaves the set at its end.
  ///
  /// - Throws: `NetworkError` if the system has no room for it.
  package func add(_ socket: UDPSocket, number: Int) throws(NetworkError) {
    guard cplatform_add_to_set(descriptor, socket.descriptor, UInt(number)) == 0 else {
      throw NetworkError(.bind(errno), socket.localAddress.description)
    }
  }

  /// Waits as `UDPSocket.wait` does, then passes the number of each socket with a datagram to `body`, at most 256.
  package func wait(or descriptors: [Int32], atMostNanoseconds limit: Int, _ body: (Int) -> Void) {
    UDPSocket.wait(for: [], or: [descriptor] + descriptors, atMostNanoseconds: limit)
    let count = cplatform_take_ready(descriptor, numbers, Int32(Self.capacity))
    for index in 0..<max(0, Int(count)) { body(Int(numbers[index])) }
  }
}
