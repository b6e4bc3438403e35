import RTP

/// Packets of one publisher at one listener.
struct LoadStream {
  /// Place of a packet among the others.
  enum Place: Hashable {
    case inOrder, outOfOrder, duplicate
  }

  private(set) var ssrc: UInt32
  private(set) var reception = ReceptionStatistics()
  private var unwrapper = SequenceUnwrapper()
  /// Highest number so far; -1 before the first packet.
  private var highest = -1
  /// Which of the 64 numbers up to the highest have come; bit 0 is the highest.
  private var arrived: UInt64 = 0

  init(ssrc: UInt32) { self.ssrc = ssrc }

  /// Notes a packet for the reports.
  mutating func note(_ header: RTPHeader, arrivalNanoseconds: Int) {
    if header.ssrc != ssrc {
      ssrc = header.ssrc
      (reception, unwrapper) = (ReceptionStatistics(), SequenceUnwrapper())
    }
    reception.receive(
      sequence: unwrapper.unwrap(header.sequenceNumber), timestamp: header.timestamp,
      arrivalNanoseconds: arrivalNanoseconds)
  }

  /// Notes a sender report, if it is about this stream.
  mutating func note(_ report: SenderReport, arrivalNanoseconds: Int) {
    if report.ssrc == ssrc { reception.receive(report, arrivalNanoseconds: arrivalNanoseconds) }
  }

  /// Notes a publisher's number of a packet. A packet more than 64 numbers late counts as its first arrival.
  mutating func place(_ number: UInt32) -> Place {
    let distance = Int(number) - highest
    guard distance <= 0 else {
      arrived = distance >= 64 || highest < 0 ? 1 : arrived << UInt64(distance) | 1
      highest = Int(number)
      return .inOrder
    }
    guard distance > -64 else { return .outOfOrder }
    let bit = UInt64(1) << UInt64(-distance)
    guard arrived & bit == 0 else { return .duplicate }
    arrived |= bit
    return .outOfOrder
  }

  /// Returns the report block about the packets since the last one.
  mutating func makeReportBlock(nowNanoseconds now: Int) -> ReportBlock {
    reception.makeReportBlock(ssrc: ssrc, nowNanoseconds: now)
  }
}
