/// Reception of one source, by the numbers and times of arrival of its packets: loss, jitter, and the block that
/// reports them.
///
/// RFC 3550 counts duplicates as received packets, so that each hides a lost one. Here they are counted separately.
///
/// Thread: one at a time.
///
/// Source: RFC 3550, section 6.4.1 and appendices A.3 and A.8.
public struct ReceptionStatistics: Sendable, BitwiseCopyable {
  /// Packets received, without those noted as duplicates.
  public private(set) var receivedCount = 0
  /// Packets noted as duplicates. Report blocks do not count them as received, or each would hide a lost packet.
  public private(set) var duplicateCount = 0
  private let clockRate: Int
  private var lowest = 0
  private var highest = 0
  /// Wraps in the first packet's number, times 65536; reported wraps count from there.
  private var wraps = 0
  private var lastTransit: UInt32 = 0
  /// Jitter times 16.
  private var scaledJitter: UInt32 = 0
  private var reportedExpected = 0
  private var reportedReceived = 0
  private var lastSenderReport: UInt32 = 0
  private var lastSenderReportNanoseconds = 0

  /// Creates statistics of a source before its first packet.
  ///
  /// - Parameter clockRate: units of the RTP timestamp in a second.
  @_noLocks
  public init(clockRate: Int = 48_000) {
    precondition(clockRate > 0 && clockRate <= 1_000_000, "an RTP clock has 1 to 1000000 Hz")
    self.clockRate = clockRate
  }

  /// Counts a packet of the stream.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameters:
  ///   - sequence: number of the packet without wraps, as a `SourceArbiter` gives it.
  ///   - timestamp: RTP timestamp of the packet.
  ///   - arrivalNanoseconds: time of arrival.
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

  /// Counts a packet of the stream with a timestamp that does not show the delay of packets. An example is a key press,
  /// with the timestamp of its beginning. Real-time: wait-free.
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

  /// Notes a sender report of the source, so that the next block lets the source measure the round trip.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func receive(_ report: SenderReport, arrivalNanoseconds: Int) {
    lastSenderReport = report.ntp.middle32
    lastSenderReportNanoseconds = arrivalNanoseconds
  }

  /// Counts a duplicate, separately from all other packets.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func noteDuplicate() { duplicateCount = duplicateCount &+ 1 }

  /// Packets that should have arrived; 0 before the first.
  public var expectedCount: Int { @_noLocks get { receivedCount > 0 ? highest &- lowest &+ 1 : 0 } }

  /// Packets lost; below 0 if duplicates were received but not noted.
  public var lostCount: Int { @_noLocks get { expectedCount &- receivedCount } }

  /// Highest sequence number, with the number of its wraps in the upper 16 bits.
  public var extendedHighestSequenceNumber: UInt32 {
    @_noLocks get { UInt32(truncatingIfNeeded: highest &- wraps) }
  }

  /// Running mean of the difference between packet spacing at arrival and at the sender, in units of the RTP
  /// timestamps.
  public var jitter: UInt32 { @_noLocks get { scaledJitter >> 4 } }

  /// Returns the block to report now. Its fraction covers the packets since the previous block, so each block is to be
  /// sent.
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
      // A total loss is 255/256 in eight bits.
      fractionLost: expected <= 0 || lost <= 0 ? 0 : lost >= expected ? 255 : UInt8(lost << 8 / expected),
      cumulativeLost: lostCount, extendedHighestSequenceNumber: extendedHighestSequenceNumber, jitter: jitter,
      lastSenderReport: lastSenderReport, delaySinceLastSenderReport: delay)
  }
}
