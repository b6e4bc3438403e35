import Transport

/// Decides to which stream a packet belongs, and unwraps its numbers.
///
/// A stream is one synchronisation source whose sequence numbers and timestamps go on as time does. A packet of it that does
/// not fit (a jump in the numbers, a timestamp from another age) is taken for a stray one, unless the next one continues it:
/// then the sender has begun anew. Another source begins a stream once the old one has been quiet for a second, and not before: two that
/// send at the same time would take turns otherwise, and a stranger would have every spike of the network. Who begins anew with another
/// source and says no goodbye to the old one is heard a second later for it; where there was a goodbye, at once. A pause that was
/// announced may be quiet for two: its announcement is repeated every 400 ms, and some of them are lost.
///
/// Source: RFC 3550, appendix A.1. Real-time: wait-free.
struct StreamGate: BitwiseCopyable {
  /// What is to be done with a packet; who judges hands it on with the packet.
  enum Verdict: BitwiseCopyable, Sendable {
    /// It goes on with the stream.
    case accepted(sequence: Int, timestamp: Int)
    /// It begins a stream; what waits of an older one is void.
    case begins(sequence: Int, timestamp: Int)
    /// It belongs to no stream so far.
    case stray
  }

  private struct Newest: BitwiseCopyable {
    var ssrc: UInt32
    var sequenceNumber: UInt16
    var sequence: Int
    var timestamp: UInt32
    var unwrappedTimestamp: Int
    var arrival: Int
    var announcesPause: Bool
  }

  /// RFC 3550: MAX_DROPOUT and MAX_MISORDER.
  private static var maximumJump: Int { @_noLocks get { 3_000 } }
  private static var maximumMisorder: Int { @_noLocks get { 100 } }
  /// A packet may come so much later than its timestamp says, after a network that stood still.
  private static var maximumLateness: Int { @_noLocks get { 5_000_000_000 } }
  /// A timestamp may be so much ahead of time, after packets that were late.
  private static var maximumLead: Int { @_noLocks get { 2_000_000_000 } }
  /// A source that has sent nothing for so long may be replaced by the first packet of another.
  private static var quietNanoseconds: Int { @_noLocks get { 1_000_000_000 } }
  /// The same for one that has announced a pause: five announcements are missing.
  private static var quietPauseNanoseconds: Int { @_noLocks get { 2_000_000_000 } }
  private static var nanosecondsPerSecond: Int { @_noLocks get { 1_000_000_000 } }

  private var newest: Newest?
  private var candidate: Newest?
  private var hasLeft = false
  private let sampleRate: Int

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Judges a packet that came at `arrival` nanoseconds.
  ///
  /// - Parameter announcesPause: whether it says that nothing is to be heard for a while.
  @_noLocks
  mutating func judge(_ header: RTPHeader, announcesPause: Bool, arrival: Int) -> Verdict {
    guard let newest, arrival &- newest.arrival <= Receiver.offlineNanoseconds else {
      return begin(header, announcesPause, arrival: arrival)
    }
    if newest.ssrc == header.ssrc, let next = follow(newest, header, announcesPause, arrival: arrival) {
      candidate = nil
      if next.sequence > newest.sequence { self.newest = next }
      return .accepted(sequence: next.sequence, timestamp: next.unwrappedTimestamp)
    }
    guard newest.ssrc == header.ssrc else {
      let limit = newest.announcesPause ? StreamGate.quietPauseNanoseconds : StreamGate.quietNanoseconds
      let isQuiet = arrival &- newest.arrival > limit
      return isQuiet || hasLeft ? begin(header, announcesPause, arrival: arrival) : .stray
    }
    if let candidate, follow(candidate, header, announcesPause, arrival: arrival) != nil,
      candidate.sequenceNumber &+ 1 == header.sequenceNumber
    {
      return begin(header, announcesPause, arrival: arrival)
    }
    candidate = StreamGate.first(header, announcesPause, arrival: arrival)
    return .stray
  }

  /// The sender has said goodbye: what is still under way belongs to the stream, and another source may begin one.
  @_noLocks
  mutating func leave() { hasLeft = true }

  /// Forgets the stream, so that any packet begins one.
  @_noLocks
  mutating func reset() {
    newest = nil
    candidate = nil
    hasLeft = false
  }

  @_noLocks
  private mutating func begin(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) -> Verdict {
    let first = StreamGate.first(header, announcesPause, arrival: arrival)
    newest = first
    candidate = nil
    hasLeft = false
    return .begins(sequence: first.sequence, timestamp: first.unwrappedTimestamp)
  }

  @_noLocks
  private static func first(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) -> Newest {
    // One turn up, so that what comes out of order before it has a number above zero.
    Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: 65_536 &+ Int(header.sequenceNumber),
      timestamp: header.timestamp, unwrappedTimestamp: (1 &<< 32) &+ Int(header.timestamp), arrival: arrival,
      announcesPause: announcesPause)
  }

  /// The packet's numbers if it goes on from `newest`, nil if it does not fit.
  @_noLocks
  private func follow(
    _ newest: Newest, _ header: RTPHeader, _ announcesPause: Bool, arrival: Int
  ) -> Newest? {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- newest.sequenceNumber))
    guard step < StreamGate.maximumJump, step > 0 &- StreamGate.maximumMisorder else { return nil }
    let samples = Int(Int32(bitPattern: header.timestamp &- newest.timestamp))
    let skew =
      arrival &- newest.arrival &- samples &* (StreamGate.nanosecondsPerSecond / sampleRate)
    guard skew < StreamGate.maximumLateness, skew > 0 &- StreamGate.maximumLead else { return nil }
    return Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: newest.sequence &+ step,
      timestamp: header.timestamp, unwrappedTimestamp: newest.unwrappedTimestamp &+ samples, arrival: arrival,
      announcesPause: announcesPause)
  }
}
