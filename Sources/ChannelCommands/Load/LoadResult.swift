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
  /// Datagrams that the sockets of this process had no room for.
  let droppedCount: Int
  /// Cores that this process used.
  let loadCores: Double
  /// Share of a core that the thread of the users used, 0...1.
  let threadShare: Double
  /// Cores that the relay used; nil if it was not watched.
  let relayCores: Double?

  /// Creates the result of users, from the processor times at the beginning and at the end of the counted time.
  init(
    _ plan: LoadPlan, _ users: LoadUsers, durationSeconds: Double, isSimulated: Bool, droppedCount: Int,
    from start: ProcessorTime, to end: ProcessorTime
  ) {
    publisherCount = plan.publisherCount
    listenerCount = plan.listenerCount
    joinedCount = users.joinedCount
    failures = users.failures
    joinTimes = users.figures.joinTimes.sorted()
    self.durationSeconds = durationSeconds
    self.isSimulated = isSimulated
    self.droppedCount = droppedCount
    counts = users.figures.counts
    delays = users.figures.delays
    lateness = users.figures.lateness
    let nanoseconds = max(1, durationSeconds * 1e9)
    loadCores = Double(end.process - start.process) / nanoseconds
    threadShare = Double(end.thread - start.thread) / nanoseconds
    relayCores = start.other.flatMap { old in end.other.map { Double($0 - old) / nanoseconds } }
  }

  var failedCount: Int { failures.reduce(0) { $0 + $1.count } }

  /// Time of the relay's processor for each packet that it delivered, in microseconds; nil if that is unknown.
  var relayMicrosecondsPerPacket: Double? {
    guard let relayCores, counts.received > 0 else { return nil }
    return relayCores * durationSeconds * 1e6 / Double(counts.received)
  }

  /// Received data with the headers of RTP and the encryption, in kbit/s.
  var receivedKilobitsPerSecond: Double {
    durationSeconds > 0 ? Double(counts.receivedByteCount) * 8 / 1_000 / durationSeconds : 0
  }

  /// Whether this process limited the measurement.
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
