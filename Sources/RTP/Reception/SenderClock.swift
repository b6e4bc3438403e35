/// Which of a sender's RTP timestamps belongs to which time of its clock, by its last report.
///
/// Source: RFC 3550, section 6.4.1.
public struct SenderClock: Hashable, Sendable, BitwiseCopyable {
  private let ntp: NTPTimestamp
  private let rtpTimestamp: UInt32
  private let clockRate: Int

  /// What a report says.
  @_noLocks
  public init(_ report: SenderReport, clockRate: Int = 48_000) {
    precondition(clockRate > 0, "an RTP clock has more than 0 Hz")
    ntp = report.ntp
    rtpTimestamp = report.rtpTimestamp
    self.clockRate = clockRate
  }

  /// When the sample with this timestamp was taken; timestamps up to 2^31 before or after the report's are told right.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func time(ofTimestamp timestamp: UInt32) -> NTPTimestamp {
    let distance = Int(Int32(bitPattern: timestamp &- rtpTimestamp))
    return NTPTimestamp(rawValue: ntp.rawValue &+ UInt64(bitPattern: Int64((distance << 32) / clockRate)))
  }

  /// The timestamp of the sample that was taken at a moment, rounded to the nearest.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func timestamp(at time: NTPTimestamp) -> UInt32 {
    let distance = Int64(bitPattern: time.rawValue &- ntp.rawValue)
    let seconds = distance >> 32
    let fraction = distance & 0xFFFF_FFFF
    let samples = seconds &* Int64(clockRate) &+ (fraction &* Int64(clockRate) &+ 0x8000_0000) >> 32
    return rtpTimestamp &+ UInt32(truncatingIfNeeded: samples)
  }
}
