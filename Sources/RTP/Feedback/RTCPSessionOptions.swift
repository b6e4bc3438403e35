/// How one's own side of RTCP is kept.
public struct RTCPSessionOptions: Hashable, Sendable {
  /// One's own synchronisation source, of what is sent and of reports.
  public var ssrc: UInt32
  /// The canonical name, at most 255 bytes of UTF-8.
  public var name: String
  /// Time between two reports, on average.
  ///
  /// With feedback (RFC 4585) there is no minimum of 5 s, as long as RTCP stays within a twentieth of the stream. A
  /// second's reports of two members have some 300 bytes with their headers; the smallest streams of Opus in packets
  /// have some 6000.
  public var reportNanoseconds: Int
  /// Whether lost packets are asked for, and when; nil = never.
  public var nack: NackPolicy?
  /// Whether a request may go without the report before it (RFC 5506).
  public var usesReducedSizeRTCP: Bool
  /// What the two parties may send in all, in bit/s: voices both ways with their headers, and what is sent again.
  ///
  /// A twentieth of it is for RTCP, and each of the two has half of that; what reports leave of it bounds how often
  /// packets are asked for. Source: RFC 3550, section 6.2.
  public var sessionBitsPerSecond: Int
  /// The rate at which packets that are asked for leave again, in bit/s.
  public var resendBitsPerSecond: Int
  /// The calendar's time (NTP, nanoseconds since 1900) at 0 of the clock; 0 for clocks without a calendar.
  public var calendarNanoseconds: Int

  /// Options from their parts.
  public init(
    ssrc: UInt32, name: String, reportNanoseconds: Int = 1_000_000_000, nack: NackPolicy? = NackPolicy(),
    usesReducedSizeRTCP: Bool = false, sessionBitsPerSecond: Int = 256_000, resendBitsPerSecond: Int = 128_000,
    calendarNanoseconds: Int = 0
  ) {
    self.ssrc = ssrc
    self.name = name
    self.reportNanoseconds = reportNanoseconds
    self.nack = nack
    self.usesReducedSizeRTCP = usesReducedSizeRTCP
    self.sessionBitsPerSecond = sessionBitsPerSecond
    self.resendBitsPerSecond = resendBitsPerSecond
    self.calendarNanoseconds = calendarNanoseconds
  }
}
