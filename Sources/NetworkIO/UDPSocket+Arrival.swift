import CPlatform
import Glibc
package import Platform

/// Times of arrival, noted by the kernel.
extension UDPSocket {
  /// Lets the kernel note the arrival of each datagram.
  package func noteArrivals() { cplatform_note_arrivals(descriptor) }

  /// Passes the next waiting datagram, its source, and the time since its arrival, in nanoseconds, to `body`.
  ///
  /// The time is 0 without `noteArrivals`.
  ///
  /// - Returns: false if no datagram waits.
  package func receiveNoted(
    _ body: (UnsafeRawBufferPointer, SocketAddress, _ waitedNanoseconds: Int) -> Void
  ) -> Bool {
    while true {
      var storage = sockaddr_storage()
      var (length, waited) = (socklen_t(0), 0)
      let count = cplatform_receive_noted(
        descriptor, buffer.baseAddress, UInt(buffer.count), &storage, &length, &waited)
      if count >= 0 {
        body(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), SocketAddress(storage, length: length), waited)
        return true
      }
      // The system reports the refusal of an earlier datagram once, in place of a datagram.
      switch errno {
      case EINTR, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH: continue
      default: return false
      }
    }
  }
}
