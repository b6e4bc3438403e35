import CPlatform
import Glibc
package import Platform

/// Receives all waiting datagrams of a socket by one call of the system.
///
/// Thread: one at a time.
package final class DatagramReceiver {
  /// Datagrams that are received at once.
  package static let capacity = 64
  /// Longest datagram, in bytes; longer ones are dropped and counted.
  package static let largestByteCount = 2_048

  private let receiver = cplatform_make_receiver(UInt32(DatagramReceiver.capacity), UInt32(largestByteCount))

  /// Datagrams dropped because they were too long.
  package private(set) var oversizedCount = 0

  /// Time since the arrival of the first datagram received last; 0 without `noteArrivals` of its socket.
  package var ageNanoseconds: Int { cplatform_received_age(receiver) }

  /// Creates the memory.
  package init() {}

  deinit { cplatform_free_receiver(receiver) }

  /// Receives waiting datagrams, and passes each with its source to `body`, which may change its bytes.
  ///
  /// - Returns: Number of datagrams; fewer than `capacity` if no other waits.
  package func receive(
    from socket: UDPSocket, _ body: (UnsafeMutableRawBufferPointer, SocketAddress) -> Void
  ) -> Int {
    while true {
      let count = cplatform_receive_many(receiver, socket.descriptor)
      if count < 0 {
        // The system reports the refusal of an earlier datagram once, in place of a datagram.
        switch errno {
        case EINTR, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH: continue
        default: return 0
        }
      }
      for index in 0..<count {
        var byteCount: UInt32 = 0
        var source: UnsafeRawPointer?
        var length: UInt32 = 0
        guard let bytes = cplatform_received(receiver, index, &byteCount, &source, &length) else {
          oversizedCount += 1
          continue
        }
        body(
          UnsafeMutableRawBufferPointer(start: bytes, count: Int(byteCount)),
          SocketAddress(UnsafeRawBufferPointer(start: source, count: Int(length))))
      }
      return Int(count)
    }
  }
}
