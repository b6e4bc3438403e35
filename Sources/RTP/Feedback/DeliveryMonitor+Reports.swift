extension DeliveryMonitor {
  /// Gap in the numbers that makes a receiver restart its counts. Source: RFC 3550, appendix A.1.
  private static var restartingGap: Int { @_noLocks get { 2_900 } }

  /// Returns the highest local number that the remote party has received. nil if the report is older than another that
  /// has arrived, or reports packets that have not been sent.
  @_noLocks
  func number(_ raw: UInt32, sent: (first: Int, highest: Int)) -> Int? {
    let highest = sent.highest
    // After half the range of numbers or more, a new report is closer to the last number sent than to the last number
    // reported.
    if let reported, raw == reported.raw || highest &- reported.number < 0x8000 {
      let step = Int(Int32(bitPattern: raw &- reported.raw))
      if step >= 0 && reported.number &+ step <= highest { return reported.number &+ step }
      if step < 0 && step > 0 &- DeliveryMonitor.restartingGap { return nil }
    }
    // The upper half counts the wraps since the receiver began to listen.
    let distance = UInt16(truncatingIfNeeded: highest) &- UInt16(truncatingIfNeeded: raw)
    return Int(distance) <= highest &- sent.first && distance < 0x8000 ? highest &- Int(distance) : nil
  }

  /// Detects that a receiver has restarted its counts after missing too many packets; its earlier losses remain lost.
  @_noLocks
  mutating func noteRestart(_ block: ReportBlock, at number: Int) {
    guard let reported else { return }
    let counted = block.cumulativeLost &- reported.lost
    let missing = judged.due &- reported.number
    // Another receiver listens there now, or the same one after a restart. It has not heard the refused packets,
    // whatever its counts since.
    if isRefused, number > judged.due, counted < missing / 2 {
      lostBefore = judged.lost
      return
    }
    let isRestart =
      counted < 0 &- (number &- reported.number) &- 100
      || (missing >= DeliveryMonitor.restartingGap && number > judged.due && counted < missing / 2)
    if isRestart { lostBefore = judged.lost &- block.cumulativeLost }
    // After so long a silence, this receiver is indistinguishable from one that has heard everything.
    let passed = number &- reported.number
    if isSilent, passed >= DeliveryMonitor.restartingGap, counted < passed / 2 {
      judged.due = number
      lostBefore = judged.lost &- block.cumulativeLost
    }
  }

  /// Counts the first report. A receiver that joins late counts from its first packet on, which its share of losses
  /// reveals.
  @_noLocks
  mutating func countFirst(_ block: ReportBlock, to number: Int) {
    guard let sent else { return }
    var due = number &- (unheard?.upTo ?? sent.first &- 1)
    guard due > 0 else { return }
    let lost = block.cumulativeLost > 0 ? block.cumulativeLost : 0
    if block.fractionLost > 0, lost &* 256 / Int(block.fractionLost) < due {
      due = lost &* 256 / Int(block.fractionLost)
    }
    counted = (counted.due &+ due, counted.lost &+ lost)
  }

  @_noLocks
  mutating func noteInterval(_ nanoseconds: Int) {
    guard let before = intervalNanoseconds else {
      intervalNanoseconds =
        nanoseconds < DeliveryMonitor.usualIntervalNanoseconds ? nanoseconds : DeliveryMonitor.usualIntervalNanoseconds
      return
    }
    // A longer time is an outage, not an interval.
    if nanoseconds < 3 &* before { intervalNanoseconds = before &+ (nanoseconds &- before) / 4 }
  }
}
