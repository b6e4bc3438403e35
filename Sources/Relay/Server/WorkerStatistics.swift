/// Sizes and counts of a worker.
struct WorkerStatistics: Sendable {
  var counters = RelayCounters()
  /// Media connections.
  var transports = 0
  /// Datagrams that the kernel has dropped.
  var dropped = 0
  /// Datagrams dropped because the send buffer was full.
  var full = 0
  /// Datagrams that the kernel refused.
  var refused = 0
  /// Processor time of the worker's thread, in nanoseconds.
  var processorNanoseconds = 0
}
