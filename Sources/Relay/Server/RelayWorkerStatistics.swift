/// Sizes and counts of one of a relay's workers.
public struct RelayWorkerStatistics: Hashable, Sendable {
  /// Media connections.
  public let transports: Int
  /// Packets of publishers, decrypted.
  public let packets: Int
  /// Packets sent to listeners.
  public let forwarded: Int
  /// Processor time of the thread of the worker, in nanoseconds. A single worker shares the relay's thread.
  public let processorNanoseconds: Int
}
