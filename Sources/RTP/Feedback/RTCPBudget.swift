/// Bytes of RTCP that may leave: a share of the session's bandwidth, saved for a second at most.
///
/// One datagram may exceed the budget; the next waits until the excess is made good. Real-time: wait-free.
///
/// Source: RFC 3550, section 6.2, for the twentieth; RFC 4585, section 3.4, for feedback within it.
struct RTCPBudget: BitwiseCopyable {
  private let bytesPerSecond: Int
  /// Time at which the savings reach the bytes of one second.
  private var fullNanoseconds: Int

  /// Creates a full budget.
  @_noLocks
  init(bytesPerSecond: Int, nowNanoseconds: Int) {
    self.bytesPerSecond = bytesPerSecond > 0 ? bytesPerSecond : 1
    fullNanoseconds = nowNanoseconds
  }

  /// Time at which the next datagram may leave; a time in the past means now.
  var nextNanoseconds: Int { @_noLocks get { fullNanoseconds &- 1_000_000_000 } }

  /// Notes a datagram that leaves now.
  @_noLocks
  mutating func spend(byteCount: Int, nowNanoseconds: Int) {
    let begin = fullNanoseconds > nowNanoseconds ? fullNanoseconds : nowNanoseconds
    fullNanoseconds = begin &+ byteCount &* 1_000_000_000 / bytesPerSecond
  }
}
