/// A time in seconds and 2^-32 parts of a second, as RTCP counts it.
///
/// By convention the seconds count from 1900, but a sender without a calendar may count from any time.
///
/// Source: RFC 3550, section 4.
public struct NTPTimestamp: Hashable, Sendable, BitwiseCopyable {
  /// Seconds between 1900, the origin of NTP, and 1970, the origin of Unix time.
  public static var unixEpochSeconds: Int { @_noLocks get { 2_208_988_800 } }

  /// Seconds in the upper half, the fraction in the lower half.
  public let rawValue: UInt64

  /// Creates a timestamp from its form in packets.
  @_noLocks
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates the timestamp of a time this many nanoseconds (0 or more) after the origin; it wraps after 136 years.
  @_noLocks
  public init(nanoseconds: Int) {
    precondition(nanoseconds >= 0, "an NTP timestamp lies after its origin")
    let fraction = (UInt64(nanoseconds % 1_000_000_000) << 32) / 1_000_000_000
    rawValue = UInt64(nanoseconds / 1_000_000_000) << 32 | fraction
  }

  /// Nanoseconds since the origin, rounded to the nearest.
  public var nanoseconds: Int {
    @_noLocks get {
      let fraction = (rawValue & 0xFFFF_FFFF) &* 1_000_000_000 &+ 0x8000_0000
      return Int(rawValue >> 32) &* 1_000_000_000 &+ Int(fraction >> 32)
    }
  }

  /// The part that report blocks return: 16 bits of seconds, 16 of the fraction.
  public var middle32: UInt32 { @_noLocks get { UInt32(truncatingIfNeeded: rawValue >> 16) } }

  /// Returns a span of time in the unit of `middle32`, 1/65536 s; 0 for a negative span.
  @_noLocks
  static func middle32(ofNanoseconds nanoseconds: Int) -> UInt32 {
    NTPTimestamp(nanoseconds: nanoseconds > 0 ? nanoseconds : 0).middle32
  }

  /// Computes the round trip of a timestamp and the answer to it.
  ///
  /// - Parameters:
  ///   - arrival: arrival of the answer.
  ///   - reference: middle 32 bits of the timestamp that is answered.
  ///   - delay: time that the answer had waited, in 1/65536 s.
  /// - Returns: Nanoseconds, to 1/65536 s; 0 if rounding or a clock that was set gives less.
  @_noLocks
  static func roundTripNanoseconds(arrival: NTPTimestamp, reference: UInt32, delay: UInt32) -> Int {
    let units = Int32(bitPattern: arrival.middle32 &- reference &- delay)
    return units > 0 ? (Int(units) &* 1_000_000_000) >> 16 : 0
  }
}
