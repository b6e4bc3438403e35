/// Counts of a receiver from one report to the next.
package struct ReceptionInterval {
  /// Packets that arrived.
  package let packets: Int
  /// Packets that did not arrive when they were first sent, even if recovered or retransmitted; packets that came after
  /// all are subtracted.
  package let lost: Int
  /// Packets that were neither played, nor recovered, nor retransmitted in time.
  package let unplayed: Int
  /// Packets that should have arrived.
  package let expected: Int
  /// Payload bytes that arrived.
  package let bytes: Int
  /// Average time that sound waited, in milliseconds.
  package let bufferMilliseconds: Double
  /// Share of sound that was concealed, 0...1; nil if none was due.
  package let concealedShare: Double?

  /// - Parameters:
  ///   - old: Counts at the previous report.
  ///   - new: Counts at this report.
  ///   - overdueSamples: Overdue samples of `new` that should have come.
  package init(from old: JitterBufferStatistics, to new: JitterBufferStatistics, overdueSamples: Int) {
    func count(_ field: KeyPath<JitterBufferStatistics, Int>) -> Int { new[keyPath: field] - old[keyPath: field] }
    packets = count(\.packetsReceived)
    // Each interval has its own part of an outage. When its packets' numbers are known, those that were overdue are not
    // lost once more.
    let overdue = (overdueSamples - old.overdueSamples) / new.samplesPerPacket
    let missing = count(\.packetsLost) - count(\.packetsLostOverdue) + overdue
    lost = max(0, missing + count(\.retransmittedPacketsReceived))
    expected = packets + max(0, missing)
    // A packet that was recovered and came after all is both discarded and recovered, and not lost any more.
    unplayed = max(0, missing + count(\.packetsDiscarded) - count(\.fecPacketsUsed))
    bytes = count(\.bytesReceived)
    let emitted = count(\.jitterBufferEmittedCount)
    bufferMilliseconds =
      emitted > 0 ? (new.jitterBufferDelay - old.jitterBufferDelay) / Double(emitted) * 1_000 : 0
    // A stream that comes again reports an outage in which it had ended; that belongs to the intervals before.
    let earlier = count(\.outageSamples)
    // Sound that turns out to be a pause of the sender had been frozen, in part before this interval.
    let excused = max(0, 0 - count(\.frozenSamples))
    let due = count(\.totalSamplesReceived) - count(\.idleSamples) - earlier + excused
    let concealed = count(\.concealedSamples) - earlier + excused
    concealedShare = due > 0 ? min(1, max(0, Double(concealed) / Double(due))) : nil
  }

  /// Share of packets lost on the path, 0...1; nil if none was due.
  package var loss: Double? { share(lost) }

  /// Share of packets that were not heard at all, 0...1; nil if none was due.
  package var lossAfterRepair: Double? { share(unplayed) }

  private func share(_ part: Int) -> Double? {
    expected > 0 ? min(1, Double(part) / Double(expected)) : nil
  }
}
