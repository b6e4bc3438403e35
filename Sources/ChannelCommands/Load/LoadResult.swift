import RelayClient
import RelayLoad

/// Result of a load, with all figures of the table.
struct LoadResult {
  let publisherCount: Int
  let listenerCount: Int
  let joinedCount: Int
  let failures: [(error: ChannelError, count: Int)]
  /// Times from the start of a join to its success, in nanoseconds, ascending.
  let joinTimes: [Int]
  /// Time that counted.
  let durationSeconds: Double
  /// Whether time was virtual, so that processors had no part in it.
  let isSimulated: Bool
  let counts: LoadCounts
  let delays: DelayDistribution
  let lateness: DelayDistribution
  /// Datagrams that the sockets of the load had no room for.
  let droppedCount: Int
  /// Cores that the load used.
  let loadCores: Double
  /// Share of a core that the thread of the users used, 0...1; of several processes, that of the busiest.
  let threadShare: Double
  /// Processes that served the users.
  let processCount: Int
  /// Processor time of the relay; nil if it was not watched.
  let relay: RelayUse?

  /// Creates the result of a load.
  init(
    _ plan: LoadPlan, _ part: LoadPart, durationSeconds: Double, isSimulated: Bool, processCount: Int, relay: RelayUse?
  ) {
    publisherCount = plan.publisherCount
    listenerCount = plan.listenerCount
    joinedCount = part.joinedCount
    failures = part.failures
    joinTimes = part.joinTimes.sorted()
    self.durationSeconds = durationSeconds
    self.isSimulated = isSimulated
    self.processCount = processCount
    self.relay = relay
    droppedCount = part.droppedCount
    counts = part.counts
    delays = part.delays
    lateness = part.lateness
    let nanoseconds = max(1, durationSeconds * 1e9)
    loadCores = Double(part.processNanoseconds) / nanoseconds
    threadShare = Double(part.threadNanoseconds) / nanoseconds
  }

  var failedCount: Int { failures.reduce(0) { $0 + $1.count } }

  /// Time of the relay's processor for each packet, in microseconds; nil if that is unknown.
  var relayMicrosecondsPerPacket: Double? {
    relay?.microsecondsPerPacket(deliveredCount: counts.received)
  }

  /// Received data with the headers of RTP and the encryption, in kbit/s.
  var receivedKilobitsPerSecond: Double {
    durationSeconds > 0 ? Double(counts.receivedByteCount) * 8 / 1_000 / durationSeconds : 0
  }

  /// Whether the load limited the measurement.
  var isBottleneck: Bool {
    !isSimulated && (droppedCount > 0 || threadShare > 0.95 || latenessMilliseconds > 5)
  }

  /// Time by which 99 % of the packets left late at most, in milliseconds.
  var latenessMilliseconds: Double { Double(lateness.nanoseconds(atQuantile: 0.99)) / 1e6 }

  /// Delay that a share (0...1) of the packets does not exceed, in milliseconds.
  func delayMilliseconds(atQuantile quantile: Double) -> Double {
    Double(delays.nanoseconds(atQuantile: quantile)) / 1e6
  }

  /// Join time that a share (0...1) of the users does not exceed, in milliseconds; 0 without users.
  func joinMilliseconds(atQuantile quantile: Double) -> Double {
    guard !joinTimes.isEmpty else { return 0 }
    let rank = Int((Double(joinTimes.count) * quantile).rounded(.up))
    return Double(joinTimes[min(joinTimes.count, max(1, rank)) - 1]) / 1e6
  }
}
