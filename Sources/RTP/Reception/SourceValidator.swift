/// A source that is not heard, and the regularity of its packets.
///
/// Real-time: wait-free.
struct SourceValidator: Sendable, BitwiseCopyable {
  /// Longest gap between packets of a run.
  static var longestGapNanoseconds: Int { @_noLocks get { 200_000_000 } }
  /// Packets that arrive for this long were not just in transit.
  private static var backNanoseconds: Int { @_noLocks get { 100_000_000 } }
  /// Packets of a steady run.
  private static var steadyCount: Int { @_noLocks get { 3 } }
  /// Packets in succession are less than this many numbers apart. RFC 3550: MAX_MISORDER.
  private static var maximumJump: Int { @_noLocks get { 100 } }

  let ssrc: UInt32
  /// Arrival of the newest packet, in nanoseconds.
  private(set) var arrival: Int
  private var sequenceNumber: UInt16
  private var runBegan: Int
  private var count = 0

  /// Creates a source with its newest packet at `arrival`; its run begins with the next.
  @_noLocks
  init(ssrc: UInt32, sequenceNumber: UInt16, arrival: Int) {
    self.ssrc = ssrc
    self.sequenceNumber = sequenceNumber
    self.arrival = arrival
    runBegan = arrival
  }

  /// Whether it has sent two packets in a row; a single one may be of any source. Source: RFC 3550, appendix A.1.
  var isProbable: Bool { @_noLocks get { count >= 2 } }

  /// Whether it sends as steadily as a voice, and not a packet now and then.
  var isSteady: Bool { @_noLocks get { count >= SourceValidator.steadyCount } }

  /// Whether it has sent steadily for longer than packets stay in transit.
  var isBack: Bool { @_noLocks get { isSteady && arrival &- runBegan >= SourceValidator.backNanoseconds } }

  /// Returns whether it may still be sending.
  @_noLocks
  func isSending(at now: Int) -> Bool { now &- arrival <= SourceValidator.longestGapNanoseconds }

  /// Takes the next packet of the source.
  @_noLocks
  mutating func receive(_ header: RTPHeader, arrival now: Int) {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- sequenceNumber))
    // A duplicate, or overtaken.
    if step <= 0, step > 0 &- SourceValidator.maximumJump, count > 0 { return }
    if count == 0 || step < 0 || step >= SourceValidator.maximumJump || !isSending(at: now) {
      (count, runBegan) = (0, now)
    }
    count = count &+ 1
    (sequenceNumber, arrival) = (header.sequenceNumber, now)
  }
}
