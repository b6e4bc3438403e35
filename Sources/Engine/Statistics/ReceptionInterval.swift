import MediaStreams

/// What a receiver has counted from one report to the next.
struct ReceptionInterval {
  /// Packets that came.
  let packets: Int
  /// Packets that did not when they were first sent, whatever was rebuilt or sent again; packets that came after all
  /// are taken back.
  let lost: Int
  /// Packets that were neither played, nor rebuilt, nor sent again in time.
  let unplayed: Int
  /// Packets that should have come.
  let expected: Int
  /// Bytes of payloads.
  let bytes: Int
  /// How long sound waited on the average.
  let bufferMilliseconds: Double
  /// The share of sound that was made up, 0...1; nil where none was due.
  let concealedShare: Double?

  /// - Parameter overdueSamples: those of `new` that should have come.
  init(from old: JitterBufferStatistics, to new: JitterBufferStatistics, overdueSamples: Int) {
    func count(_ field: KeyPath<JitterBufferStatistics, Int>) -> Int { new[keyPath: field] - old[keyPath: field] }
    packets = count(\.packetsReceived)
    // Of an outage, each interval has its own part: when its packets' numbers are known, those that were overdue are
    // not lost once more.
    let overdue = (overdueSamples - old.overdueSamples) / new.samplesPerPacket
    let missing = count(\.packetsLost) - count(\.packetsLostOverdue) + overdue
    lost = max(0, missing + count(\.retransmittedPacketsReceived))
    expected = packets + max(0, missing)
    // What was rebuilt and came after all is both discarded and recovered, and lost no more.
    unplayed = max(0, missing + count(\.packetsDiscarded) - count(\.fecPacketsUsed))
    bytes = count(\.bytesReceived)
    let emitted = count(\.jitterBufferEmittedCount)
    bufferMilliseconds =
      emitted > 0 ? (new.jitterBufferDelay - old.jitterBufferDelay) / Double(emitted) * 1_000 : 0
    // What a stream that comes again tells of an outage in which it had ended belongs to the intervals before.
    let earlier = count(\.outageSamples)
    // What turns out to have been a pause of the sender's had been frozen, in part before this interval.
    let excused = max(0, 0 - count(\.frozenSamples))
    let due = count(\.totalSamplesReceived) - count(\.idleSamples) - earlier + excused
    let concealed = count(\.concealedSamples) - earlier + excused
    concealedShare = due > 0 ? min(1, max(0, Double(concealed) / Double(due))) : nil
  }

  /// The share of packets lost on the way, 0...1; nil where none was due.
  var loss: Double? { share(lost) }

  /// The share of packets that nothing was heard of, 0...1; nil where none was due.
  var lossAfterRepair: Double? { share(unplayed) }

  private func share(_ part: Int) -> Double? {
    expected > 0 ? min(1, Double(part) / Double(expected)) : nil
  }
}
