/// Counts packets that come once more, for reports of stretches that grow until they hold half of all sequence numbers:
/// one that gets lost is made up for by the next.
struct CopiesCounter: Sendable, BitwiseCopyable {
  private static var longestStretch: UInt32 { @_noLocks get { 0x8000 } }

  private var begin: UInt32 = 0
  private var count = 0
  /// As it was reported last: what is new begins a stretch.
  private var hasBegun = false

  @_noLocks
  init() {}

  @_noLocks
  mutating func note() { count = count &+ 1 }

  /// The stretch up to a number; nil where nothing came twice in it.
  @_noLocks
  mutating func report(ssrc: UInt32, first: UInt32, highest: UInt32) -> CopiesReport? {
    if !hasBegun {
      hasBegun = true
      begin = first
    }
    guard count > 0 else {
      begin = highest &+ 1
      return nil
    }
    let report = CopiesReport(
      ssrc: ssrc, begin: UInt16(truncatingIfNeeded: begin), end: UInt16(truncatingIfNeeded: highest &+ 1), count: count)
    if highest &- begin >= CopiesCounter.longestStretch {
      begin = highest &+ 1
      count = 0
    }
    return report
  }
}
