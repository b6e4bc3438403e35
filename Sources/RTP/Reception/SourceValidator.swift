/// A source that is not heard, and how steadily it sends.
///
/// Real-time: wait-free.
struct SourceValidator: Sendable, BitwiseCopyable {
  /// Packets in a run come no farther apart.
  static var longestGapNanoseconds: Int { @_noLocks get { 200_000_000 } }
  /// What comes for so long has not just been under way.
  private static var backNanoseconds: Int { @_noLocks get { 100_000_000 } }
  /// Packets of a run.
  private static var steadyCount: Int { @_noLocks get { 3 } }
  /// Numbers from one packet to the next are less apart. RFC 3550: MAX_MISORDER.
  private static var maximumJump: Int { @_noLocks get { 100 } }

  let ssrc: UInt32
  /// When its newest packet came, in nanoseconds.
  private(set) var arrival: Int
  private var sequenceNumber: UInt16
  private var runBegan: Int
  private var count = 0

  /// A source whose newest packet came at `arrival`; its run begins with the next.
  @_noLocks
  init(ssrc: UInt32, sequenceNumber: UInt16, arrival: Int) {
    self.ssrc = ssrc
    self.sequenceNumber = sequenceNumber
    self.arrival = arrival
    runBegan = arrival
  }

  /// Whether it has sent two packets in a row: one alone may be of anybody. Source: RFC 3550, appendix A.1.
  var isProbable: Bool { @_noLocks get { count >= 2 } }

  /// Whether it sends as a voice does, and not a packet now and then.
  var isSteady: Bool { @_noLocks get { count >= SourceValidator.steadyCount } }

  /// Whether it has done so for longer than what was still under way.
  var isBack: Bool { @_noLocks get { isSteady && arrival &- runBegan >= SourceValidator.backNanoseconds } }

  /// Whether it may still be sending.
  @_noLocks
  func isSending(at now: Int) -> Bool { now &- arrival <= SourceValidator.longestGapNanoseconds }

  /// Takes its next packet.
  @_noLocks
  mutating func receive(_ header: RTPHeader, arrival now: Int) {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- sequenceNumber))
    // A copy, or overtaken.
    if step <= 0, step > 0 &- SourceValidator.maximumJump, count > 0 { return }
    if count == 0 || step < 0 || step >= SourceValidator.maximumJump || !isSending(at: now) {
      (count, runBegan) = (0, now)
    }
    count = count &+ 1
    (sequenceNumber, arrival) = (header.sequenceNumber, now)
  }
}
