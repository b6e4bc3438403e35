/// What is known of one source by its packets' numbers and times of arrival: loss, jitter, and the block that reports
/// them.
///
/// RFC 3550 counts duplicates as received packets, so that each hides a lost one. Here they are counted apart.
///
/// Thread: one at a time.
///
/// Source: RFC 3550, section 6.4.1 and appendices A.3 and A.8.
public struct ReceptionStatistics: Sendable, BitwiseCopyable {
  /// Packets that came, without those noted as duplicates.
  public private(set) var receivedCount = 0
  /// Packets noted as duplicates. They are not received packets in report blocks, or each would hide a lost one.
  public private(set) var duplicateCount = 0
  private let clockRate: Int
  private var lowest = 0
  private var highest = 0
  /// What the first packet's number had by wraps: they are told from there on.
  private var wraps = 0
  private var lastTransit: UInt32 = 0
  /// 16 times the jitter.
  private var scaledJitter: UInt32 = 0
  private var reportedExpected = 0
  private var reportedReceived = 0
  private var lastSenderReport: UInt32 = 0
  private var lastSenderReportNanoseconds = 0

  /// Statistics of a source of which nothing is known.
  ///
  /// - Parameter clockRate: Units of the RTP timestamp in a second.
  @_noLocks
  public init(clockRate: Int = 48_000) {
    precondition(clockRate > 0 && clockRate <= 1_000_000, "an RTP clock has 1 to 1000000 Hz")
    self.clockRate = clockRate
  }

  /// Counts a packet of the stream.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter sequence: its number without wraps, as a `SourceArbiter` gives it.
  @_noLocks
  public mutating func receive(sequence: Int, timestamp: UInt32, arrivalNanoseconds: Int) {
    let isFirst = receivedCount == 0
    receive(sequence: sequence)
    let seconds = arrivalNanoseconds / 1_000_000_000
    let rest = arrivalNanoseconds % 1_000_000_000
    let arrival = seconds &* clockRate &+ rest &* clockRate / 1_000_000_000
    let transit = UInt32(truncatingIfNeeded: arrival) &- timestamp
    if !isFirst {
      let difference = Int32(bitPattern: transit &- lastTransit)
      scaledJitter = scaledJitter &+ difference.magnitude &- ((scaledJitter &+ 8) >> 4)
    }
    lastTransit = transit
  }

  /// Counts a packet of the stream whose timestamp says nothing about how long packets take, such as a key press, which
  /// has that of its beginning. Real-time: wait-free.
  @_noLocks
  public mutating func receive(sequence: Int) {
    if receivedCount == 0 {
      lowest = sequence
      highest = sequence
      wraps = sequence & ~0xFFFF
    }
    receivedCount = receivedCount &+ 1
    lowest = min(lowest, sequence)
    highest = max(highest, sequence)
  }

  /// Notes the source's sender report, so that the next block lets it measure the round trip.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func receive(_ report: SenderReport, arrivalNanoseconds: Int) {
    lastSenderReport = report.ntp.middle32
    lastSenderReportNanoseconds = arrivalNanoseconds
  }

  /// Counts a packet whose number has come before, apart from all others.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func noteDuplicate() { duplicateCount = duplicateCount &+ 1 }

  /// Packets that should have come; 0 before the first.
  public var expectedCount: Int { @_noLocks get { receivedCount > 0 ? highest &- lowest &+ 1 : 0 } }

  /// Packets lost; below 0 where duplicates were received that nobody noted as such.
  public var lostCount: Int { @_noLocks get { expectedCount &- receivedCount } }

  /// The highest sequence number, with the number of its wraps in the upper 16 bits.
  public var extendedHighestSequenceNumber: UInt32 {
    @_noLocks get { UInt32(truncatingIfNeeded: highest &- wraps) }
  }

  /// A running mean of how much the time from one packet to the next differs at arrival, in units of the RTP
  /// timestamps.
  public var jitter: UInt32 { @_noLocks get { scaledJitter >> 4 } }

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
