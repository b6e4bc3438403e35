/// What is known of one source by its packets' numbers and times of arrival: loss, jitter, and the block that reports them.
///
/// Thread: one at a time.
///
/// Source: RFC 3550, section 6.4.1 and appendices A.1, A.3 and A.8.
public struct ReceptionStatistics: Sendable, BitwiseCopyable {
  /// What a packet's number says about it.
  public enum Verdict: UInt8, Sendable, BitwiseCopyable {
    /// Not enough packets in sequence yet to believe in the source; not counted.
    case probation
    /// The source begins here, for the first time or after it has begun anew: everything counts from this packet.
    case started
    /// Next, or after a gap.
    case inOrder
    /// Among the hundred before the highest, or the highest again.
    case lateOrDuplicate
    /// So far away that it is another source's, or the first of a new beginning; not counted.
    case stray
  }

  private var sequence: SequenceState
  private let clockRate: Int
  private var lastTransit: UInt32 = 0
  private var hasTransit = false
  /// 16 times the jitter.
  private var scaledJitter: UInt32 = 0
  private var reportedExpected = 0
  private var reportedReceived = 0
  private var copies = CopiesCounter()
  private var lastSenderReport: UInt32 = 0
  private var lastSenderReportNanoseconds = 0

  /// Statistics of a source of which nothing is known.
  ///
  /// - Parameters:
  ///   - clockRate: Units of the RTP timestamp in a second.
  ///   - minimumSequential: Packets in sequence that make a source; 1 believes the first.
  @_noLocks
  public init(clockRate: Int = 48_000, minimumSequential: Int = 2) {
    precondition(clockRate > 0 && clockRate <= 1_000_000, "an RTP clock has 1 to 1000000 Hz")
    precondition(minimumSequential >= 1, "a source takes at least one packet")
    self.clockRate = clockRate
    sequence = SequenceState(minimumSequential: minimumSequential)
  }

  /// Counts a packet.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func receive(
    sequenceNumber: UInt16, timestamp: UInt32, arrivalNanoseconds: Int
  ) -> Verdict {
    let verdict = sequence.update(sequenceNumber)
    switch verdict {
    case .probation, .stray: return verdict
    case .started:
      hasTransit = false
      scaledJitter = 0
      reportedExpected = 0
      reportedReceived = 0
      copies = CopiesCounter()
    case .inOrder, .lateOrDuplicate: break
    }
    let seconds = arrivalNanoseconds / 1_000_000_000
    let rest = arrivalNanoseconds % 1_000_000_000
    let arrival = seconds &* clockRate &+ rest &* clockRate / 1_000_000_000
    let transit = UInt32(truncatingIfNeeded: arrival) &- timestamp
    if hasTransit {
      let difference = Int32(bitPattern: transit &- lastTransit)
      scaledJitter = scaledJitter &+ difference.magnitude &- ((scaledJitter &+ 8) >> 4)
    }
    lastTransit = transit
    hasTransit = true
    return verdict
  }

  /// Notes the source's sender report, so that the next block lets it measure the round trip.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func receive(_ report: SenderReport, arrivalNanoseconds: Int) {
    lastSenderReport = report.ntp.middle32
    lastSenderReportNanoseconds = arrivalNanoseconds
  }

  /// Notes that the packet that was counted last had come before.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func noteCopy() { copies.note() }

  /// Packets counted, duplicates among them.
  public var receivedCount: Int { @_noLocks get { sequence.receivedCount } }

  /// Packets that should have come; 0 before the source has started.
  public var expectedCount: Int { @_noLocks get { sequence.receivedCount > 0 ? sequence.expectedCount : 0 } }

  /// Packets lost, less duplicates; may be below 0.
  public var lostCount: Int { @_noLocks get { expectedCount &- receivedCount } }

  /// The highest sequence number, with the number of its wraps in the upper 16 bits.
  public var extendedHighestSequenceNumber: UInt32 { @_noLocks get { sequence.extendedHighest } }

  /// A running mean of how much the time from one packet to the next differs at arrival, in units of the RTP timestamps.
  public var jitter: UInt32 { @_noLocks get { scaledJitter >> 4 } }

  /// What has come twice, to report beside a block; nil where nothing has.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func makeCopiesReport(ssrc: UInt32) -> CopiesReport? {
    copies.report(
      ssrc: ssrc, first: UInt32(sequence.baseSequence), highest: sequence.extendedHighest)
  }

  /// The block to report now; its fraction is that of the packets since the block before, so each is to be sent.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func makeReportBlock(ssrc: UInt32, nowNanoseconds: Int) -> ReportBlock {
    let expected = expectedCount &- reportedExpected
    let received = receivedCount &- reportedReceived
    reportedExpected = expectedCount
    reportedReceived = receivedCount
    let lost = expected &- received
    var delay: UInt32 = 0
    if lastSenderReport != 0 {
      delay = NTPTimestamp.middle32(ofNanoseconds: nowNanoseconds &- lastSenderReportNanoseconds)
    }
    return ReportBlock(
      ssrc: ssrc,
      // All lost is 255/256 in eight bits.
      fractionLost: expected <= 0 || lost <= 0 ? 0 : lost >= expected ? 255 : UInt8(lost << 8 / expected),
      cumulativeLost: lostCount, extendedHighestSequenceNumber: extendedHighestSequenceNumber, jitter: jitter,
      lastSenderReport: lastSenderReport, delaySinceLastSenderReport: delay)
  }
}
