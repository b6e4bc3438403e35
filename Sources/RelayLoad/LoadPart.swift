package import RelayClient

/// Measurements of one process of a load.
package struct LoadPart: Sendable {
  /// Users that have joined and not failed.
  package var joinedCount = 0
  /// Failures, each with the number of its users.
  package var failures: [(error: ChannelError, count: Int)] = []
  /// Times from the start of a join to its success, in nanoseconds, in any order.
  package var joinTimes: [Int] = []
  /// Counts of packets and rejoins.
  package var counts = LoadCounts()
  /// Delays from sending to arrival.
  package var delays = DelayDistribution()
  /// Times by which packets left later than planned.
  package var lateness = DelayDistribution()
  /// Datagrams that the sockets of the process had no room for.
  package var droppedCount = 0
  /// Processor time of the process while packets counted, in nanoseconds.
  package var processNanoseconds = 0
  /// Processor time of the users' thread while packets counted, in nanoseconds; of several, that of the busiest.
  package var threadNanoseconds = 0

  /// Creates a part without users.
  package init() {}

  /// Adds the measurements of another process, exactly.
  package mutating func add(_ other: LoadPart) {
    joinedCount += other.joinedCount
    failures = Self.sum(failures + other.failures)
    joinTimes += other.joinTimes
    counts = counts + other.counts
    delays.add(other.delays)
    lateness.add(other.lateness)
    droppedCount += other.droppedCount
    processNanoseconds += other.processNanoseconds
    threadNanoseconds = max(threadNanoseconds, other.threadNanoseconds)
  }

  /// Returns each failure once, with the sum of its users, the most frequent first.
  package static func sum(_ failures: [(error: ChannelError, count: Int)]) -> [(error: ChannelError, count: Int)] {
    Dictionary(failures.map { ($0.error, $0.count) }, uniquingKeysWith: +).map { (error: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.error.message) < ($0.count, $1.error.message) }
  }
}
