import Glibc
package import Platform
package import RTP

extension RTCPSessionOptions {
  /// Creates options of a live session: a name that says nothing of its owner (RFC 7022), and the system's calendar.
  package init(ssrc: UInt32, clockRate: Int, clock: any EngineClock, using random: inout some RandomNumberGenerator) {
    var calendar = timespec()
    clock_gettime(CLOCK_REALTIME, &calendar)
    let ntp = (calendar.tv_sec + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 + calendar.tv_nsec
    self.init(
      ssrc: ssrc, name: "\(String(UInt64.random(in: 0 ... .max, using: &random), radix: 36))@audiopipe",
      clockRate: clockRate, calendarNanoseconds: ntp - clock.nowNanoseconds)
  }
}
