import CPlatform

/// Datagrams of a `DatagramBatch` since its beginning.
package struct DatagramBatchCounters: Hashable, Sendable {
  /// Datagrams that the kernel has taken.
  package let sent: Int
  /// Datagrams dropped because the send buffer was full.
  package let full: Int
  /// Datagrams that the kernel has refused for another reason, such as a missing route.
  package let refused: Int
  /// Calls of the system.
  package let calls: Int
  /// Messages with several datagrams that the kernel has taken.
  package let trains: Int
  /// Whether trains are in use; false once the kernel has refused the first.
  package let usesTrains: Bool

  init(_ counts: cplatform_batch_counts) {
    sent = Int(counts.sent)
    full = Int(counts.full)
    refused = Int(counts.refused)
    calls = Int(counts.calls)
    trains = Int(counts.trains)
    usesTrains = counts.uses_trains != 0
  }
}
