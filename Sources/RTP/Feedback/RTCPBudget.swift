/// How many bytes of RTCP may leave: a share of the session's bandwidth, saved up for a second at most.
///
/// What leaves at one time may be one datagram too much; the next waits until that has been made good.
/// Real-time: wait-free.
///
/// Source: RFC 3550, section 6.2, for the twentieth; RFC 4585, section 3.4, for feedback that stays within it.
struct RTCPBudget: BitwiseCopyable {
  private let bytesPerSecond: Int
  /// When as much will have been saved as a second brings.
  private var fullNanoseconds: Int

  /// A budget that is full.
  @_noLocks
  init(bytesPerSecond: Int, nowNanoseconds: Int) {
    self.bytesPerSecond = bytesPerSecond > 0 ? bytesPerSecond : 1
    fullNanoseconds = nowNanoseconds
  }

  /// When the next datagram may leave; a time in the past is now.
  var nextNanoseconds: Int { @_noLocks get { fullNanoseconds &- 1_000_000_000 } }

  /// Notes a datagram that leaves now.
  @_noLocks
  mutating func spend(byteCount: Int, nowNanoseconds: Int) {
    let begin = fullNanoseconds > nowNanoseconds ? fullNanoseconds : nowNanoseconds
    fullNanoseconds = begin &+ byteCount &* 1_000_000_000 / bytesPerSecond
  }
}
