import Glibc
package import Platform
package import RTP

extension RTCPSessionOptions {
  /// Creates options of a live session with the system's calendar.
  package init(ssrc: UInt32, clockRate: Int, clock: any EngineClock, using random: inout some RandomNumberGenerator) {
    self.init(
      ssrc: ssrc, clockRate: clockRate, clock: clock, unixNanoseconds: Self.systemUnixNanoseconds, using: &random)
  }

  /// Creates options of a live session, with a name that says nothing of its owner (RFC 7022).
  ///
  /// - Parameter unixNanoseconds: The calendar's present time since 1970.
  package init(
    ssrc: UInt32, clockRate: Int, clock: any EngineClock, unixNanoseconds: Int,
    using random: inout some RandomNumberGenerator
  ) {
    let ntp = unixNanoseconds + NTPTimestamp.unixEpochSeconds * 1_000_000_000
    self.init(
      ssrc: ssrc, name: "\(String(UInt64.random(in: 0 ... .max, using: &random), radix: 36))@audiopipe",
      clockRate: clockRate, calendarNanoseconds: ntp - clock.nowNanoseconds)
  }

  /// The system's calendar, in nanoseconds since 1970.
  package static var systemUnixNanoseconds: Int {
    var calendar = timespec()
    clock_gettime(CLOCK_REALTIME, &calendar)
    return calendar.tv_sec * 1_000_000_000 + calendar.tv_nsec
  }
}
