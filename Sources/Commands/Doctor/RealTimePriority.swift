import CommandLineKit
import Glibc

/// Whether the audio thread may run before everything else.
struct RealTimePriority: Hashable, Sendable {
  /// Highest priority that the limit allows (RLIMIT_RTPRIO); nil if unlimited.
  let limit: Int?
  /// Whether a request for SCHED_FIFO succeeded.
  let isGranted: Bool
  /// Error number of the refusal; 0 if the priority was granted.
  let errorNumber: Int32

  init(limit: Int?, errorNumber: Int32) {
    self.limit = limit
    self.errorNumber = errorNumber
    isGranted = errorNumber == 0
  }

  /// Requests SCHED_FIFO for the calling thread, and returns to the old priority at once.
  init() {
    var bounds = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &bounds) == 0
    let limit: Int? = !isKnown ? 0 : bounds.rlim_cur == rlim_t.max ? nil : Int(clamping: bounds.rlim_cur)
    let policy = sched_getscheduler(0)
    var former = sched_param()
    sched_getparam(0, &former)
    var wanted = sched_param()
    wanted.sched_priority = sched_get_priority_min(SCHED_FIFO)
    let number = sched_setscheduler(0, SCHED_FIFO, &wanted) == 0 ? 0 : errno
    if number == 0 { sched_setscheduler(0, policy, &former) }
    self.init(limit: limit, errorNumber: number)
  }

  /// Advice after a refusal.
  var advice: String? {
    guard !isGranted else { return nil }
    return "The audio thread gets no real-time priority (\(systemErrorText(errorNumber))); add the line "
      + "'@audio - rtprio 95' to /etc/security/limits.d/audio.conf, join the group audio and log in again, or give a "
      + "container the capability SYS_NICE."
  }
}
