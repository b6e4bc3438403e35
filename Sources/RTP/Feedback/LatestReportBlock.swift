/// What the other side has said last of one's own stream.
struct LatestReportBlock: BitwiseCopyable {
  /// What comes again within 500 ms, the same to the last bit, nobody has said again: times and counts go on.
  private static var copyNanoseconds: Int { @_noLocks get { 500_000_000 } }

  private(set) var block: ReportBlock?
  private var nanoseconds = 0

  @_noLocks
  init() {}

  /// Returns: false for what the network has delivered twice, which tells of nothing since.
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
