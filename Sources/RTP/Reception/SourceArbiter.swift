/// Decides to which stream a packet belongs, and unwraps its numbers.
///
/// A stream is one synchronization source with sequence numbers and timestamps that advance as time does. A late packet
/// belongs to the stream as long as both fit, up to 3000 packets and 15 s. The RFC, which considers only the numbers,
/// takes a packet that is a hundred packets late for another source's.
///
/// A packet may not fit: by a jump in the numbers, a timestamp from another time, or more numbers than the time between
/// allows. It is taken for an unknown source's, unless the next one continues it; then the sender has restarted. The
/// sender has also restarted if for a second only old packets have come: twenty, each with a higher number than those
/// before it. One packet with a number far ahead thus keeps a stream silent for little longer.
///
/// Two sources that send at the same time do not alternate: the first one is heard. Another begins a stream after a BYE
/// of the old source, or once that has been quiet for longer than spikes of a network last. That is 200 ms + three
/// packets, or 900 ms in an announced pause, since announcements are repeated every 400 ms and some are lost.
/// Only a source that sends steadily may begin so soon; two packets in a row may after 1 s, or after 2 s in a pause.
/// The source heard before takes the stream back once it sends again, steadily for 100 ms. Packets in transit at its
/// end arrive in less time.
///
/// Thread: one at a time. Real-time: wait-free.
///
/// Source: RFC 3550, appendix A.1.
public struct SourceArbiter: Sendable, BitwiseCopyable {
  /// Action for a packet. Numbers are without wraps and above zero.
  public enum Decision: BitwiseCopyable, Sendable {
    /// The packet continues the stream.
    case accepted(sequence: Int, timestamp: Int)
    /// The packet begins a stream; waiting packets of an older one are void.
    case begins(sequence: Int, timestamp: Int)
    /// The packet belongs to no stream so far.
    case unknownSource
  }

  private struct Newest: Sendable, BitwiseCopyable {
    var ssrc: UInt32
    var sequenceNumber: UInt16
    var sequence: Int
    var timestamp: UInt32
    var unwrappedTimestamp: Int
    var arrival: Int
    var announcesPause: Bool
    /// Duration of a packet; the maximum until two in a row have arrived.
    var packetNanoseconds: Int
  }

  /// Time in nanoseconds after its last packet at which a stream has ended, so that any other may begin. The delay of
  /// packets may change by less than that.
  public static var offlineNanoseconds: Int { @_noLocks get { 15_000_000_000 } }
  /// Longest gap between packets of an unheard source, in nanoseconds; after a longer one it has restarted.
  public static var longestClaimGapNanoseconds: Int { @_noLocks get { SourceValidator.longestGapNanoseconds } }
  /// Packets of the stream are less than this many numbers from its newest one, in either direction. RFC 3550:
  /// MAX_DROPOUT.
  public static var maximumJump: Int { @_noLocks get { 3_000 } }
  /// Up to this many numbers away, a packet belongs to the stream even if its timestamp does not allow it. RFC 3550:
  /// MAX_MISORDER.
  private static var smallJump: Int { @_noLocks get { 100 } }
  /// Silence, in addition to three packets, after which a source that sends steadily may replace the present one.
  private static var spikeNanoseconds: Int { @_noLocks get { 200_000_000 } }
  /// Silence after which another source may replace the present one with two packets in a row.
  private static var quietNanoseconds: Int { @_noLocks get { 1_000_000_000 } }
  /// Silence in an announced pause after which another source may replace the present one with two packets in a row:
  /// five announcements are missing.
  private static var quietPauseNanoseconds: Int { @_noLocks get { 2_000_000_000 } }
  /// Silence in an announced pause, in which two announcements are due, after which a source that sends steadily may
  /// replace the present one.
  private static var silentPauseNanoseconds: Int { @_noLocks get { 900_000_000 } }
  /// Number of seemingly old packets, each newer than those before, that restart the stream while nothing new comes.
  private static var longestOldRun: Int { @_noLocks get { 20 } }
  /// Number of the shortest Opus packets in a second; they are 2.5 ms long.
  private static var packetsPerSecond: Int { @_noLocks get { 400 } }
  /// Duration of the longest packets, 240 ms of G.711.
  private static var longestPacketNanoseconds: Int { @_noLocks get { 240_000_000 } }
  private static var nanosecondsPerSecond: Int { @_noLocks get { 1_000_000_000 } }

  private var newest: Newest?
  private var candidate: Newest?
  /// Arrival of the stream's newest packet without sound.
  private var newestSoundless = Int.min / 2
  /// Newest of the old packets since the stream's newest one; `oldRun` counts the packets that took this place.
  private var old: Newest?
  private var oldRun = 0
  /// Source that was heard before the stream's source, and has not sent a BYE.
  private var former: SourceValidator?
  /// Another source that sends meanwhile.
  private var challenger: SourceValidator?
  private var hasLeft = false
  private let clockRate: Int

  /// Creates an arbiter before the first packet.
  ///
  /// - Parameter clockRate: units of the RTP timestamp in a second.
  @_noLocks
  public init(clockRate: Int = 48_000) {
    precondition(clockRate > 0 && clockRate <= 1_000_000, "an RTP clock has 1 to 1000000 Hz")
    self.clockRate = clockRate
  }

  /// Classifies a packet.
  ///
  /// - Parameters:
  ///   - header: header of the packet.
  ///   - announcesPause: whether the packet announces that nothing is to be heard for a while.
  ///   - arrival: time of arrival in nanoseconds, no earlier than that of the packets before.
  @_noLocks
  public mutating func classify(_ header: RTPHeader, announcesPause: Bool, arrival: Int) -> Decision {
    guard let newest else { return begin(header, announcesPause, arrival: arrival) }
    let isOffline = arrival &- max(newest.arrival, newestSoundless) > SourceArbiter.offlineNanoseconds
    // After an outage of any length, numbers that advance as time does give the losses in it; after a BYE nothing was
    // lost.
    if newest.ssrc == header.ssrc, !(isOffline && hasLeft),
      let next = follow(newest, header, announcesPause, arrival: arrival),
      !isOffline || next.sequence > newest.sequence
    {
      candidate = nil
      if next.sequence > newest.sequence {
        self.newest = next
        old = nil
      } else {
        noteOld(header, announcesPause, arrival: arrival)
        if oldRun >= SourceArbiter.longestOldRun, arrival &- newest.arrival > SourceArbiter.quietNanoseconds {
          return begin(header, announcesPause, arrival: arrival)
        }
      }
      return .accepted(sequence: next.sequence, timestamp: next.unwrappedTimestamp)
    }
    if isOffline, newest.ssrc == header.ssrc { return begin(header, announcesPause, arrival: arrival) }
    guard newest.ssrc == header.ssrc else {
      return mayReplace(newest, header, announcesPause, arrival: arrival)
        ? begin(header, announcesPause, arrival: arrival) : .unknownSource
    }
    if let candidate, follow(candidate, header, announcesPause, arrival: arrival) != nil,
      candidate.sequenceNumber &+ 1 == header.sequenceNumber
    {
      return begin(header, announcesPause, arrival: arrival)
    }
    candidate = SourceArbiter.first(header, announcesPause, arrival: arrival)
    return .unknownSource
  }

  /// Classifies a packet without sound, such as a key press or comfort noise. It has a number of its source's, so it
  /// belongs to the stream or to none, and begins none. Its timestamp may be of another clock and is ignored.
  ///
  /// Source: RFC 3550, section 6.4.1; RFC 4733, section 2.1.
  @_noLocks
  public mutating func classifySoundless(_ header: RTPHeader, arrival: Int) -> Decision {
    guard let stream = newest, stream.ssrc == header.ssrc else { return .unknownSource }
    let step = Int(Int16(bitPattern: header.sequenceNumber &- stream.sequenceNumber))
    guard abs(step) <= SourceArbiter.smallJump else { return .unknownSource }
    let sequence = stream.sequence &+ step
    if step > 0 {
      newest!.sequenceNumber = header.sequenceNumber
      newest!.sequence = sequence
      newestSoundless = arrival
    }
    return .accepted(sequence: sequence, timestamp: stream.unwrappedTimestamp)
  }

  /// Returns whether a packet of another source than the stream's begins a stream.
  @_noLocks
  private mutating func mayReplace(
    _ newest: Newest, _ header: RTPHeader, _ announcesPause: Bool, arrival: Int
  ) -> Bool {
    let quiet = arrival &- max(newest.arrival, newestSoundless)
    let isFree =
      hasLeft || quiet > (newest.announcesPause ? SourceArbiter.quietPauseNanoseconds : SourceArbiter.quietNanoseconds)
    // Announcements of a pause are not a voice.
    if announcesPause { return false }
    if var claim = former, claim.ssrc == header.ssrc {
      claim.receive(header, arrival: arrival)
      former = claim
      return isFree ? claim.isProbable : claim.isBack
    }
    // The first of several challengers at a time counts.
    var claim = SourceValidator(ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, arrival: arrival)
    if let challenger, challenger.ssrc == header.ssrc || challenger.isSending(at: arrival) { claim = challenger }
    guard claim.ssrc == header.ssrc else { return false }
    claim.receive(header, arrival: arrival)
    challenger = claim
    if isFree { return claim.isProbable }
    let limit =
      newest.announcesPause
      ? SourceArbiter.silentPauseNanoseconds : SourceArbiter.spikeNanoseconds &+ 3 &* newest.packetNanoseconds
    return claim.isSteady && quiet > limit
  }

  /// Notes a BYE of the sender: packets in transit still belong to the stream, and another source may begin one.
  @_noLocks
  public mutating func receiveBye() { hasLeft = true }

  /// Forgets the stream, so that any packet begins one.
  @_noLocks
  public mutating func reset() {
    newest = nil
    candidate = nil
    old = nil
    former = nil
    challenger = nil
    hasLeft = false
  }

  /// Returns a timestamp of the stream without wraps; nil without a stream.
  @_noLocks
  public func unwrapped(_ timestamp: UInt32) -> Int? {
    guard let newest else { return nil }
    return newest.unwrappedTimestamp &+ Int(Int32(bitPattern: timestamp &- newest.timestamp))
  }

  @_noLocks
  private mutating func begin(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) -> Decision {
    let first = SourceArbiter.first(header, announcesPause, arrival: arrival)
    if let newest, newest.ssrc != header.ssrc { noteFormer(newest, hasSuccessor: header.ssrc, at: arrival) }
    newest = first
    newestSoundless = .min / 2
    candidate = nil
    old = nil
    challenger = nil
    hasLeft = false
    return .begins(sequence: first.sequence, timestamp: first.unwrappedTimestamp)
  }

  /// Remembers the source that was heard first and may return, unless it has just returned, sent a BYE, or been quiet
  /// for 15 s.
  @_noLocks
  private mutating func noteFormer(_ last: Newest, hasSuccessor ssrc: UInt32, at now: Int) {
    if former?.ssrc == ssrc {
      former = nil
      return
    }
    if let former, now &- former.arrival <= SourceArbiter.offlineNanoseconds { return }
    let mayReturn = !hasLeft && now &- last.arrival <= SourceArbiter.offlineNanoseconds
    former =
      mayReturn ? SourceValidator(ssrc: last.ssrc, sequenceNumber: last.sequenceNumber, arrival: last.arrival) : nil
  }

  @_noLocks
  private static func first(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) -> Newest {
    // One wrap up, so that a packet out of order before it has a number above zero.
    Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: 65_536 &+ Int(header.sequenceNumber),
      timestamp: header.timestamp, unwrappedTimestamp: (1 &<< 32) &+ Int(header.timestamp), arrival: arrival,
      announcesPause: announcesPause, packetNanoseconds: longestPacketNanoseconds)
  }

  @_noLocks
  private mutating func noteOld(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) {
    if let old {
      let step = Int(Int16(bitPattern: header.sequenceNumber &- old.sequenceNumber))
      // Overtaken by others, or a duplicate.
      if step <= 0, step > 0 &- SourceArbiter.smallJump { return }
      oldRun = step > 0 && step < SourceArbiter.smallJump ? oldRun &+ 1 : 1
    } else {
      oldRun = 1
    }
    old = SourceArbiter.first(header, announcesPause, arrival: arrival)
  }

  /// Returns the packet's numbers if it continues from `newest`; nil if it does not fit.
  @_noLocks
  private func follow(
    _ newest: Newest, _ header: RTPHeader, _ announcesPause: Bool, arrival: Int
  ) -> Newest? {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- newest.sequenceNumber))
    guard step < SourceArbiter.maximumJump, step > 0 &- SourceArbiter.maximumJump else { return nil }
    let samples = Int(Int32(bitPattern: header.timestamp &- newest.timestamp))
    // A jump over more numbers than the time between allows.
    let least = step &* (clockRate / SourceArbiter.packetsPerSecond)
    if abs(step) > SourceArbiter.smallJump, step > 0 ? samples < least : samples > least { return nil }
    let skew = arrival &- newest.arrival &- samples &* (SourceArbiter.nanosecondsPerSecond / clockRate)
    guard abs(skew) < SourceArbiter.offlineNanoseconds else { return nil }
    let duration = samples &* (SourceArbiter.nanosecondsPerSecond / clockRate)
    return Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: newest.sequence &+ step,
      timestamp: header.timestamp, unwrappedTimestamp: newest.unwrappedTimestamp &+ samples, arrival: arrival,
      announcesPause: announcesPause,
      packetNanoseconds: step == 1 && duration > 0
        ? min(duration, SourceArbiter.longestPacketNanoseconds) : newest.packetNanoseconds)
  }
}
