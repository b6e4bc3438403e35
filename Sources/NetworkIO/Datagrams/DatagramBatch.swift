import CPlatform
package import Platform

/// Sends the datagrams that one turn of a loop produces by one call of the system.
///
///     append, append, append, ... ─▶ flush ─▶ sendmmsg
///
/// Datagrams to one address are joined into trains (`UDP_SEGMENT`), which cost the kernel less than half. They keep
/// their order: a train has datagrams of one size, and a shorter one may end it. The datagrams of a refused train are
/// sent singly; if the first train is refused, so are all later datagrams. A full send buffer drops datagrams, and
/// counts them: nothing waits.
///
/// Thread: one at a time.
package final class DatagramBatch {
  /// Datagrams of a batch; a further one sends the others first.
  package static let capacity = 1_024
  /// Bytes of the datagrams of a batch.
  private static let byteCapacity = 256 * 1_024

  private let batch = cplatform_make_batch(UInt32(DatagramBatch.capacity), UInt32(byteCapacity))
  private let socket: UDPSocket

  /// Creates an empty batch for a socket.
  package init(_ socket: UDPSocket) { self.socket = socket }

  deinit { cplatform_free_batch(batch) }

  /// Counts since the beginning.
  package var counters: DatagramBatchCounters { DatagramBatchCounters(cplatform_batch_counted(batch).pointee) }

  /// Adds a copy of a datagram.
  package func append(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    address.withSystemAddress { target, length in
      let (bytes, count) = (datagram.baseAddress, UInt32(clamping: datagram.count))
      if cplatform_batch_append(batch, bytes, count, target, length) != 0 { return }
      flush()
      // An empty batch has space for the longest datagram.
      _ = cplatform_batch_append(batch, bytes, count, target, length)
    }
  }

  /// Sends the datagrams; without effect if there is none.
  package func flush() { cplatform_batch_flush(batch, socket.descriptor) }
}
