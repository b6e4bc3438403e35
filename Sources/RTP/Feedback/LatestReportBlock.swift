/// Last report block of the remote party about the local stream.
struct LatestReportBlock: BitwiseCopyable {
  /// Time within which an identical block is a duplicate, since the times and counts of a new one continue.
  private static var copyNanoseconds: Int { @_noLocks get { 500_000_000 } }

  private(set) var block: ReportBlock?
  private var nanoseconds = 0

  @_noLocks
  init() {}

  /// Takes a block.
  ///
  /// - Returns: false for a duplicate by the network, which carries no news.
  @_noLocks
  mutating func take(_ block: ReportBlock, nowNanoseconds now: Int) -> Bool {
    let isSoon = now &- nanoseconds < LatestReportBlock.copyNanoseconds
    if let before = self.block, isSoon, LatestReportBlock.areEqual(block, before) { return false }
    self.block = block
    nanoseconds = now
    return true
  }

  // The operator would need the type's metadata.
  @_noLocks
  private static func areEqual(_ one: ReportBlock, _ other: ReportBlock) -> Bool {
    one.extendedHighestSequenceNumber == other.extendedHighestSequenceNumber
      && one.cumulativeLost == other.cumulativeLost && one.fractionLost == other.fractionLost
      && one.jitter == other.jitter && one.lastSenderReport == other.lastSenderReport
      && one.delaySinceLastSenderReport == other.delaySinceLastSenderReport
  }
}
