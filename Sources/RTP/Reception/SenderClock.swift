/// Relation of a sender's RTP timestamps to its clock, by its last report.
///
/// Source: RFC 3550, section 6.4.1.
public struct SenderClock: Hashable, Sendable, BitwiseCopyable {
  private let ntp: NTPTimestamp
  private let rtpTimestamp: UInt32
  private let clockRate: Int

  /// Creates the clock of a report.
  @_noLocks
  public init(_ report: SenderReport, clockRate: Int = 48_000) {
    precondition(clockRate > 0, "an RTP clock has more than 0 Hz")
    ntp = report.ntp
    rtpTimestamp = report.rtpTimestamp
    self.clockRate = clockRate
  }

  /// Returns the time at which the sample with a timestamp was captured. Timestamps up to 2^31 before or after the
  /// report's are converted correctly.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func time(ofTimestamp timestamp: UInt32) -> NTPTimestamp {
    let distance = Int(Int32(bitPattern: timestamp &- rtpTimestamp))
    return NTPTimestamp(rawValue: ntp.rawValue &+ UInt64(bitPattern: Int64((distance << 32) / clockRate)))
  }

  /// Returns the timestamp of the sample that was captured at a time, rounded to the nearest.
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
