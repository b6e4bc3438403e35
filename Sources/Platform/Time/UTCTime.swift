import Glibc

/// A moment in Coordinated Universal Time, as the system's clock shows it.
///
/// Source: POSIX, "Seconds Since the Epoch": leap seconds are not counted.
public struct UTCTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int
  /// Nanoseconds of the second, 0 to 999,999,999.
  public let nanosecond: Int

  /// Creates a moment of whole seconds.
  public init(secondsSince1970 seconds: Int) {
    secondsSince1970 = seconds
    nanosecond = 0
  }

  /// Creates a moment.
  public init(nanosecondsSince1970 nanoseconds: Int) {
    let remainder = nanoseconds % 1_000_000_000
    nanosecond = remainder < 0 ? remainder + 1_000_000_000 : remainder
    secondsSince1970 = nanoseconds / 1_000_000_000 - (remainder < 0 ? 1 : 0)
  }

  /// The present moment.
  public static var now: UTCTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UTCTime(nanosecondsSince1970: now.tv_sec * 1_000_000_000 + now.tv_nsec)
  }

  /// Returns the moment that follows by `nanoseconds`, or is ahead by them if they are negative.
  public func advanced(byNanoseconds nanoseconds: Int) -> UTCTime {
    let step = UTCTime(nanosecondsSince1970: nanoseconds)
    let sum = UTCTime(nanosecondsSince1970: nanosecond + step.nanosecond)
    return UTCTime(
      secondsSince1970: secondsSince1970 + step.secondsSince1970 + sum.secondsSince1970, nanosecond: sum.nanosecond)
  }

  /// Returns the time from `b` to `a`, negative if `a` is earlier.
  public static func - (a: UTCTime, b: UTCTime) -> Duration {
    .seconds(a.secondsSince1970 - b.secondsSince1970) + .nanoseconds(a.nanosecond - b.nanosecond)
  }

  private init(secondsSince1970 seconds: Int, nanosecond: Int) {
    secondsSince1970 = seconds
    self.nanosecond = nanosecond
  }

  public static func < (a: UTCTime, b: UTCTime) -> Bool {
    (a.secondsSince1970, a.nanosecond) < (b.secondsSince1970, b.nanosecond)
  }

  /// The moment as in RFC 3339, such as `2026-11-28T11:48:04.123456789Z`.
  public var description: String { "\(date)T\(timeOfDay).\(digits(nanosecond, 9))Z" }

  /// The moment's second as in RFC 3339, such as `2026-11-28T11:48:04Z`.
  public var secondText: String { "\(date)T\(timeOfDay)Z" }

  /// The date, such as `2026-11-28`.
  public var date: String {
    let fields = fields
    let (month, day) = (digits(Int(fields.tm_mon) + 1, 2), digits(Int(fields.tm_mday), 2))
    return "\(digits(Int(fields.tm_year) + 1900, 4))-\(month)-\(day)"
  }

  /// The whole seconds of the day, such as `11:48:04`.
  public var timeOfDay: String {
    let fields = fields
    return "\(digits(Int(fields.tm_hour), 2)):\(digits(Int(fields.tm_min), 2)):\(digits(Int(fields.tm_sec), 2))"
  }

  /// Whole seconds since midnight.
  public var secondOfDay: Int { (secondsSince1970 % 86_400 + 86_400) % 86_400 }

  private var fields: tm {
    var seconds = time_t(secondsSince1970)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    return fields
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
