/// Decides to which stream a packet belongs, and unwraps its numbers.
///
/// A stream is one synchronisation source whose sequence numbers and timestamps go on as time does. However late a
/// packet is, it belongs to the stream as long as both say so, up to 3000 packets and 15 s: the RFC, which knows the
/// numbers only, takes what is a hundred packets late for another source's. One that does not fit (a jump in the
/// numbers, a timestamp from another age, or more numbers than the time between has room for) is taken for a stray one,
/// unless the next one continues it: then the sender has begun anew; so it has where nothing new has come for a second
/// but twenty old packets, each with a higher number than those before it: one packet with a number far ahead keeps a
/// stream silent for little longer.
///
/// Two sources that send at the same time do not take turns: who came first is heard. Another begins a stream once the
/// old one has said goodbye or has been quiet for longer than spikes of a network last, which is 200 ms and three
/// packets, or 900 ms in a pause that was announced: its announcement is repeated every 400 ms, and some of them are
/// lost. Only who sends steadily may begin so soon; two packets in a row may after a second, or two in a pause. Who was
/// heard before takes the stream back once it sends again, steadily for 100 ms: what was under way when it ended comes
/// in less.
///
/// Thread: one at a time. Real-time: wait-free.
///
/// Source: RFC 3550, appendix A.1.
public struct SourceArbiter: Sendable, BitwiseCopyable {
  /// What is to be done with a packet. Numbers are without wraps and above zero.
  public enum Decision: BitwiseCopyable, Sendable {
    /// It goes on with the stream.
    case accepted(sequence: Int, timestamp: Int)
    /// It begins a stream; what waits of an older one is void.
    case begins(sequence: Int, timestamp: Int)
    /// It belongs to no stream so far.
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
    /// How much is in a packet; the most until two in a row have come.
    var packetNanoseconds: Int
  }

  /// So long after its last packet a stream has ended, and any other may begin; and how long packets take may change by
  /// less than that.
  public static var offlineNanoseconds: Int { @_noLocks get { 15_000_000_000 } }
  /// Packets of a source that is not heard come no farther apart, or it has begun anew.
  public static var longestClaimGapNanoseconds: Int { @_noLocks get { SourceValidator.longestGapNanoseconds } }
  /// Packets of the stream lie less than so many numbers from its newest one, either way. RFC 3550: MAX_DROPOUT.
  public static var maximumJump: Int { @_noLocks get { 3_000 } }
  /// Up to so many numbers a packet belongs to the stream whatever its timestamp has room for. RFC 3550: MAX_MISORDER.
  private static var smallJump: Int { @_noLocks get { 100 } }
  /// A source that has sent nothing for so long and three packets may be replaced by one that sends steadily.
  private static var spikeNanoseconds: Int { @_noLocks get { 200_000_000 } }
  /// A source that has sent nothing for so long may be replaced by the first packet of another.
  private static var quietNanoseconds: Int { @_noLocks get { 1_000_000_000 } }
  /// The same for one that has announced a pause: five announcements are missing.
  private static var quietPauseNanoseconds: Int { @_noLocks get { 2_000_000_000 } }
  /// A source that has announced a pause and then nothing for so long, in which two announcements are due, may be
  /// replaced by one that sends steadily.
  private static var silentPauseNanoseconds: Int { @_noLocks get { 900_000_000 } }
  /// So many packets of a stream that seem old, each newer than those before while nothing new comes, are what goes
  /// on.
  private static var longestOldRun: Int { @_noLocks get { 20 } }
  /// The shortest packets of Opus are 2.5 ms long.
  private static var packetsPerSecond: Int { @_noLocks get { 400 } }
  /// The longest are 120 ms.
  private static var longestPacketNanoseconds: Int { @_noLocks get { 120_000_000 } }
  private static var nanosecondsPerSecond: Int { @_noLocks get { 1_000_000_000 } }

  private var newest: Newest?
  private var candidate: Newest?
  /// When the stream's newest packet without sound came.
  private var newestSoundless = Int.min / 2
  /// The newest of the packets that have come since the newest of all and were older, and how many took that place.
  private var old: Newest?
  private var oldRun = 0
  /// Who was heard before the stream's source, and has said no goodbye.
  private var former: SourceValidator?
  /// Who else sends meanwhile.
  private var challenger: SourceValidator?
  private var hasLeft = false
  private let clockRate: Int

  /// A gate at which nothing has come.
  ///
  /// - Parameter clockRate: Units of the RTP timestamp in a second.
  @_noLocks
  public init(clockRate: Int = 48_000) {
    precondition(clockRate > 0 && clockRate <= 1_000_000, "an RTP clock has 1 to 1000000 Hz")
    self.clockRate = clockRate
  }

  /// Judges a packet that came at `arrival` nanoseconds, no earlier than those before it.
  ///
  /// - Parameter announcesPause: whether it says that nothing is to be heard for a while.
  @_noLocks
  public mutating func classify(_ header: RTPHeader, announcesPause: Bool, arrival: Int) -> Decision {
    guard let newest else { return begin(header, announcesPause, arrival: arrival) }
    let isOffline = arrival &- max(newest.arrival, newestSoundless) > SourceArbiter.offlineNanoseconds
    // After an outage of any length numbers that go on as time has say what was lost in it; after a goodbye nothing
    // was.
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

  /// Judges a packet without sound, such as a key press or comfort noise: it has a number of its source's, and so
  /// belongs to the stream or to none; it begins none. Its timestamp may be of another clock and is not looked at.
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

  /// Whether a packet of another source than the stream's begins one.
  @_noLocks
  private mutating func mayReplace(
    _ newest: Newest, _ header: RTPHeader, _ announcesPause: Bool, arrival: Int
  ) -> Bool {
    let quiet = arrival &- max(newest.arrival, newestSoundless)
    let isFree =
      hasLeft || quiet > (newest.announcesPause ? SourceArbiter.quietPauseNanoseconds : SourceArbiter.quietNanoseconds)
    // Announcements of a pause are no voice.
    if announcesPause { return false }
    if var claim = former, claim.ssrc == header.ssrc {
      claim.receive(header, arrival: arrival)
      former = claim
      return isFree ? claim.isProbable : claim.isBack
    }
    // Of several that challenge at a time it is the one that began.
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

  /// The sender has said goodbye: what is still under way belongs to the stream, and another source may begin one.
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

  /// A timestamp of the stream's without wraps; nil where there is no stream.
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

  /// Remembers who was heard first and may come back, unless it has just done so, said goodbye, or been quiet for 15 s.
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
    // One turn up, so that what comes out of order before it has a number above zero.
    Newest(
      ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, sequence: 65_536 &+ Int(header.sequenceNumber),
      timestamp: header.timestamp, unwrappedTimestamp: (1 &<< 32) &+ Int(header.timestamp), arrival: arrival,
      announcesPause: announcesPause, packetNanoseconds: longestPacketNanoseconds)
  }

  @_noLocks
  private mutating func noteOld(_ header: RTPHeader, _ announcesPause: Bool, arrival: Int) {
    if let old {
      let step = Int(Int16(bitPattern: header.sequenceNumber &- old.sequenceNumber))
      // Overtaken by others, or a copy.
      if step <= 0, step > 0 &- SourceArbiter.smallJump { return }
      oldRun = step > 0 && step < SourceArbiter.smallJump ? oldRun &+ 1 : 1
    } else {
      oldRun = 1
    }
    old = SourceArbiter.first(header, announcesPause, arrival: arrival)
  }

  /// The packet's numbers if it goes on from `newest`, nil if it does not fit.
  @_noLocks
  private func follow(
    _ newest: Newest, _ header: RTPHeader, _ announcesPause: Bool, arrival: Int
  ) -> Newest? {
    let step = Int(Int16(bitPattern: header.sequenceNumber &- newest.sequenceNumber))
    guard step < SourceArbiter.maximumJump, step > 0 &- SourceArbiter.maximumJump else { return nil }
    let samples = Int(Int32(bitPattern: header.timestamp &- newest.timestamp))
    // A jump over more numbers than the time between has room for.
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
