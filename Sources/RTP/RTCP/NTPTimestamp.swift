/// A moment as seconds and 2^-32 parts of one; RTCP's measure of time.
///
/// By convention the seconds count from 1900, but a sender without a calendar may count from any moment of its own.
///
/// Source: RFC 3550, section 4.
public struct NTPTimestamp: Hashable, Sendable, BitwiseCopyable {
  /// Seconds between 1900, where NTP begins to count, and 1970, where Unix does.
  public static var unixEpochSeconds: Int { @_noLocks get { 2_208_988_800 } }

  /// Seconds in the upper half, the fraction in the lower.
  public let rawValue: UInt64

  /// A moment as it is sent.
  @_noLocks
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The moment that lies this many nanoseconds (0 or more) after the one from which is counted; after 136 years it
  /// wraps.
  @_noLocks
  public init(nanoseconds: Int) {
    precondition(nanoseconds >= 0, "an NTP timestamp lies after its origin")
    let fraction = (UInt64(nanoseconds % 1_000_000_000) << 32) / 1_000_000_000
    rawValue = UInt64(nanoseconds / 1_000_000_000) << 32 | fraction
  }

  /// Nanoseconds since the moment from which is counted, rounded to the nearest.
  public var nanoseconds: Int {
    @_noLocks get {
      let fraction = (rawValue & 0xFFFF_FFFF) &* 1_000_000_000 &+ 0x8000_0000
      return Int(rawValue >> 32) &* 1_000_000_000 &+ Int(fraction >> 32)
    }
  }

  /// The part that report blocks send back: 16 bits of seconds, 16 of the fraction.
  public var middle32: UInt32 { @_noLocks get { UInt32(truncatingIfNeeded: rawValue >> 16) } }

  /// A span of time as `middle32` counts it, in 1/65536 s; 0 for what is below 0.
  @_noLocks
  static func middle32(ofNanoseconds nanoseconds: Int) -> UInt32 {
    NTPTimestamp(nanoseconds: nanoseconds > 0 ? nanoseconds : 0).middle32
  }

  /// The time there and back, where `arrival` is when the answer to `reference` came that had waited for `delay`.
  ///
  /// Returns: nanoseconds, to 1/65536 s; 0 where rounding or a clock that was set gives less.
  @_noLocks
  static func roundTripNanoseconds(arrival: NTPTimestamp, reference: UInt32, delay: UInt32) -> Int {
    let units = Int32(bitPattern: arrival.middle32 &- reference &- delay)
    return units > 0 ? (Int(units) &* 1_000_000_000) >> 16 : 0
  }
}
