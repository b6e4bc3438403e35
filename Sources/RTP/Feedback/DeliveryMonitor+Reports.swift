extension DeliveryMonitor {
  /// A gap that makes a receiver begin to count anew. Source: RFC 3550, appendix A.1.
  private static var restartingGap: Int { @_noLocks get { 2_900 } }

  /// Which of one's numbers the other side has got to; nil where a report is older than another that has come, or
  /// tells of what has not been sent.
  @_noLocks
  func number(_ raw: UInt32, sent: (first: Int, highest: Int)) -> Int? {
    let highest = sent.highest
    // Behind half a round of numbers and more, what has just arrived is nearer to what was sent last than to what was
    // reported.
    if let reported, raw == reported.raw || highest &- reported.number < 0x8000 {
      let step = Int(Int32(bitPattern: raw &- reported.raw))
      if step >= 0 && reported.number &+ step <= highest { return reported.number &+ step }
      if step < 0 && step > 0 &- DeliveryMonitor.restartingGap { return nil }
    }
    // The upper half counts the wraps since it began to listen.
    let distance = UInt16(truncatingIfNeeded: highest) &- UInt16(truncatingIfNeeded: raw)
    return Int(distance) <= highest &- sent.first && distance < 0x8000 ? highest &- Int(distance) : nil
  }

  /// A receiver that has missed too much begins to count anew: what it had lost before stays lost.
  @_noLocks
  mutating func noteRestart(_ block: ReportBlock, at number: Int) {
    guard let reported else { return }
    let counted = block.cumulativeLost &- reported.lost
    let missing = judged.due &- reported.number
    // Somebody else listens there now, or the same anew: what came back he did not hear, whatever he has counted since.
    if isRefused, number > judged.due, counted < missing / 2 {
      lostBefore = judged.lost
      return
    }
    let isRestart =
      counted < 0 &- (number &- reported.number) &- 100
      || (missing >= DeliveryMonitor.restartingGap && number > judged.due && counted < missing / 2)
    if isRestart { lostBefore = judged.lost &- block.cumulativeLost }
    // After so long a silence nobody can tell one from a receiver that has heard everything.
    let passed = number &- reported.number
    if isSilent, passed >= DeliveryMonitor.restartingGap, counted < passed / 2 {
      judged.due = number
      lostBefore = judged.lost &- block.cumulativeLost
    }
  }

  /// Who comes late counts from its first packet on, which its share of losses gives away.
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
    // Longer is an outage, not an interval.
    if nanoseconds < 3 &* before { intervalNanoseconds = before &+ (nanoseconds &- before) / 4 }
  }
}
