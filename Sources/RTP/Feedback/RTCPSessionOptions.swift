/// Options of the local side of RTCP.
public struct RTCPSessionOptions: Hashable, Sendable {
  /// Local synchronization source, of packets and of reports.
  public var ssrc: UInt32
  /// Canonical name, at most 255 bytes of UTF-8.
  public var name: String
  /// Average time between two reports, in nanoseconds.
  ///
  /// With feedback (RFC 4585) the minimum of 5 s does not apply, as long as RTCP stays within a twentieth of the
  /// stream. One second's reports of two members have about 300 bytes with their headers; the packets of the smallest
  /// Opus streams have about 6000.
  public var reportNanoseconds: Int
  /// Policy for requests of lost packets; nil if they are never requested.
  public var nack: NackPolicy?
  /// Whether a request may leave without a report before it (RFC 5506).
  public var usesReducedSizeRTCP: Bool
  /// Bandwidth of the two parties together, in bit/s: audio in both directions with headers, and retransmissions.
  ///
  /// A twentieth of it is for RTCP, and each of the two has half of that. The rest after reports limits the frequency
  /// of requests. Source: RFC 3550, section 6.2.
  public var sessionBitsPerSecond: Int
  /// Rate of retransmissions, in bit/s.
  public var resendBitsPerSecond: Int
  /// Units of a second in the RTP timestamps of both directions.
  public var clockRate: Int
  /// Calendar time (NTP, nanoseconds since 1900) at 0 of the clock; 0 for clocks without a calendar.
  public var calendarNanoseconds: Int

  /// Creates options from their parts.
  public init(
    ssrc: UInt32, name: String, reportNanoseconds: Int = 1_000_000_000, nack: NackPolicy? = NackPolicy(),
    usesReducedSizeRTCP: Bool = false, sessionBitsPerSecond: Int = 256_000, resendBitsPerSecond: Int = 128_000,
    clockRate: Int = 48_000, calendarNanoseconds: Int = 0
  ) {
    self.ssrc = ssrc
    self.name = name
    self.reportNanoseconds = reportNanoseconds
    self.nack = nack
    self.usesReducedSizeRTCP = usesReducedSizeRTCP
    self.sessionBitsPerSecond = sessionBitsPerSecond
    self.resendBitsPerSecond = resendBitsPerSecond
    self.clockRate = clockRate
    self.calendarNanoseconds = calendarNanoseconds
  }
}
