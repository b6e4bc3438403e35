import Transport

/// Decides to which stream a packet belongs, and unwraps its numbers.
///
/// A stream is one synchronisation source whose sequence numbers and timestamps go on as time does. A packet of it that does
/// not fit (a jump in the numbers, a timestamp from another age) is taken for a stray one, unless the next one continues it:
/// then the sender has begun anew. Another source is believed at once when the old one is quiet, and not before: two that send
/// at the same time would take turns otherwise, whenever two packets of one come in a row.
///
/// Source: RFC 3550, appendix A.1. Real-time: wait-free.
struct StreamGate: BitwiseCopyable {
  /// What is to be done with a packet.
  enum Verdict: BitwiseCopyable {
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
  }

  /// RFC 3550: MAX_DROPOUT and MAX_MISORDER.
  private static var maximumJump: Int { @_noLocks get { 3_000 } }
  private static var maximumMisorder: Int { @_noLocks get { 100 } }
  /// A packet may come so much later than its timestamp says, after a network that stood still.
  private static var maximumLateness: Int { @_noLocks get { 5_000_000_000 } }
  /// A timestamp may be so much ahead of time, after packets that were late.
  private static var maximumLead: Int { @_noLocks get { 2_000_000_000 } }
  /// A source that has sent nothing for so long may be replaced by the first packet of another.
  private static var quietNanoseconds: Int { @_noLocks get { 100_000_000 } }
  private static var nanosecondsPerSecond: Int { @_noLocks get { 1_000_000_000 } }

  private var newest: Newest?
  private var candidate: Newest?
  private let sampleRate: Int

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// The synchronisation source of the stream; nil before its first packet.
  var ssrc: UInt32? { @_noLocks get { newest?.ssrc } }

  /// Judges a packet that came at `arrival` nanoseconds.
  @_noLocks
  mutating func judge(_ header: RTPHeader, arrival: Int) -> Verdict {
    guard let newest else { return begin(header, arrival: arrival) }
    if newest.ssrc == header.ssrc, let next = follow(newest, header, arrival: arrival) {
      candidate = nil
      if next.sequence > newest.sequence { self.newest = next }
      return .accepted(sequence: next.sequence, timestamp: next.unwrappedTimestamp)
    }
    guard newest.ssrc == header.ssrc else {
      guard arrival &- newest.arrival > StreamGate.quietNanoseconds else { return .stray }
      return begin(header, arrival: arrival)
    }
    if let candidate, follow(candidate, header, arrival: arrival) != nil,
      candidate.sequenceNumber &+ 1 == header.sequenceNumber
    {
      return begin(header, arrival: arrival)
    }
    candidate = StreamGate.first(header, arrival: arrival)
    return .stray
  }

  /// Forgets the stream, so that any packet begins one.
  @_noLocks
  mutating func reset() {
    newest = nil
    candidate = nil
  }

  @_noLocks
  private mutating func begin(_ header: RTPHeader, arrival: Int) -> Verdict {
    let first = StreamGate.first(header, arrival: arrival)
    newest = first
    candidate = nil
    return .begins(sequence: first.sequence, timestamp: first.unwrappedTimestamp)
  }

  @_noLocks
  private static func first(_ header: RTPHeader, arrival: Int) -> Newest {
    // One turn up, so that what comes out of order before it has a number above zero.
    Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: 65_536 &+ Int(header.sequenceNumber),
      timestamp: header.timestamp, unwrappedTimestamp: (1 &<< 32) &+ Int(header.timestamp), arrival: arrival)
  }

  /// The packet's numbers if it goes on from `newest`, nil if it does not fit.
  @_noLocks
  private func follow(_ newest: Newest, _ header: RTPHeader, arrival: Int) -> Newest? {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- newest.sequenceNumber))
    guard step < StreamGate.maximumJump, step > 0 &- StreamGate.maximumMisorder else { return nil }
    let samples = Int(Int32(bitPattern: header.timestamp &- newest.timestamp))
    let skew =
      arrival &- newest.arrival &- samples &* (StreamGate.nanosecondsPerSecond / sampleRate)
    guard skew < StreamGate.maximumLateness, skew > 0 &- StreamGate.maximumLead else { return nil }
    return Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: newest.sequence &+ step,
      timestamp: header.timestamp, unwrappedTimestamp: newest.unwrappedTimestamp &+ samples, arrival: arrival)
  }
}
