/// Which packets of a stream are missing, and when to ask for them again.
///
///     receive(sequence, now) for every packet; then, when the deadline has come:
///     while let pair = missing.nextPair(now, roundTrip, target) { append it to a NACK }
///
/// A state machine: it reads no clock. Its memory is allocated when it is made. Thread: one at a time.
///
/// Source: RFC 4585, section 6.2.1, for what a pair is.
public struct MissingPackets: ~Copyable {
  /// How far back the numbers reach: more than 500 ms of packets of 2.5 ms.
  static var capacity: Int { @_noLocks get { 256 } }
  private static var unknownEnd: Int { @_noLocks get { .max } }

  private struct Slot: BitwiseCopyable {
    var sequenceNumber = 0
    var isMissing = false
    var wasAsked = false
    /// Asked for again: a second answer may come.
    var wasRepeated = false
    /// What came first was taken for an answer.
    var isAnswered = false
    var foundNanoseconds = 0
    /// Where its sound ends, in RTP's units; `unknownEnd` where that is not known.
    var endTimestamp = 0
    /// When it was first asked for, and when last.
    var firstAskedNanoseconds = 0
    var askedNanoseconds = 0

    @_noLocks
    init() {}
  }

  /// What has become of those found so far.
  public private(set) var counters = NackCounters()
  /// Packets missing now that have not been given up.
  public private(set) var count = 0
  private let policy: NackPolicy
  private let slots: UnsafeMutablePointer<Slot>
  private var highest = 0
  /// Of the highest packet; nil where it is not known.
  private var highestTimestamp: Int?
  /// From one packet to the next, where none was missing between them.
  private var timestampStep: Int?
  private var isEmpty = true
  /// How long a packet has been missing, at most, that was only overtaken.
  private var overtakenNanoseconds = 0

  /// A record of a stream that has not begun.
  public init(policy: NackPolicy = NackPolicy()) {
    self.policy = policy
    slots = .allocate(capacity: MissingPackets.capacity)
    slots.initialize(repeating: Slot(), count: MissingPackets.capacity)
  }

  deinit { slots.deallocate() }

  /// Notes a packet: those between it and the highest so far are missing, and it itself is no longer.
  ///
  /// Real-time: wait-free.
  ///
  /// One that has been asked for may have been under way all the time: what comes within half a round trip of the request is
  /// no answer to it.
  ///
  /// - Parameters:
  ///   - sequenceNumber: Without wraps, as a `SequenceUnwrapper` gives it.
  ///   - timestamp: Without wraps as well; nil = nothing is known of where packets have their place in time.
  ///   - roundTripNanoseconds: nil as long as it is not known.
  /// - Returns: Whether it has been sent again.
  @_noLocks @discardableResult
  public mutating func receive(
    _ sequenceNumber: Int, timestamp: Int? = nil, nowNanoseconds: Int, roundTripNanoseconds: Int? = nil
  ) -> Bool {
    if isEmpty {
      isEmpty = false
      highest = sequenceNumber
      highestTimestamp = timestamp
      return false
    }
    if sequenceNumber > highest {
      let step = step(to: sequenceNumber, timestamp)
      // A longer gap than there is room for: its beginning is past help.
      let skipped = sequenceNumber &- highest &- MissingPackets.capacity
      if skipped > 0 {
        counters.missing = counters.missing &+ skipped
        counters.givenUp = counters.givenUp &+ skipped
        highest = highest &+ skipped
      }
      while highest < sequenceNumber &- 1 {
        highest = highest &+ 1
        overwrite(highest, isMissing: true, nowNanoseconds: nowNanoseconds)
        if let timestamp, let step {
          // It ends where the next one begins.
          slots[index(highest)].endTimestamp = timestamp &- (sequenceNumber &- highest &- 1) &* step
        }
      }
      highest = sequenceNumber
      highestTimestamp = timestamp
      overwrite(sequenceNumber, isMissing: false, nowNanoseconds: nowNanoseconds)
      return false
    }
    let slot = slots + index(sequenceNumber)
    guard slot.pointee.isMissing, slot.pointee.sequenceNumber == sequenceNumber else { return false }
    slot.pointee.isMissing = false
    count = count &- 1
    let waited = nowNanoseconds &- slot.pointee.firstAskedNanoseconds
    let isAnswer = slot.pointee.wasAsked && waited >= (roundTripNanoseconds ?? 0) / 2
    if isAnswer {
      counters.recovered = counters.recovered &+ 1
      slot.pointee.isAnswered = true
    } else {
      noteOvertaken(slot, nowNanoseconds)
    }
    return isAnswer
  }

  /// What another copy of a packet is that was asked for and has come.
  ///
  /// Real-time: wait-free.
  ///
  /// Returns: `.original` once, where the first copy was taken for the answer to the only request: then nothing was lost,
  /// only overtaken.
  @_noLocks
  mutating func receiveCopy(_ sequenceNumber: Int, nowNanoseconds: Int) -> PacketCopy {
    let slot = slots + index(sequenceNumber)
    guard slot.pointee.wasAsked, !slot.pointee.isMissing, slot.pointee.sequenceNumber == sequenceNumber else {
      return .notAsked
    }
    guard slot.pointee.isAnswered, !slot.pointee.wasRepeated else { return .answer }
    slot.pointee.isAnswered = false
    counters.recovered = counters.recovered &- 1
    noteOvertaken(slot, nowNanoseconds)
    return .original
  }

  /// Whether a packet is missing and has not been given up. Real-time: wait-free.
  @_noLocks
  public func isMissing(_ sequenceNumber: Int) -> Bool {
    let slot = slots[index(sequenceNumber)]
    return slot.isMissing && slot.sequenceNumber == sequenceNumber
  }

  /// The next packets to ask for, up to 17 at once; they count as asked for. nil = nothing is due.
  ///
  /// Real-time: wait-free, a look at 256 packets at most; where nothing is missing, at none.
  @_noLocks
  public mutating func nextPair(
    nowNanoseconds: Int, roundTripNanoseconds: Int?, targetDelayNanoseconds: Int
  ) -> NackPair? {
    giveUpOld(nowNanoseconds: nowNanoseconds)
    guard count > 0,
      policy.allowsAsking(
        roundTripNanoseconds: roundTripNanoseconds, targetDelayNanoseconds: targetDelayNanoseconds),
      let roundTrip = roundTripNanoseconds
    else { return nil }
    var sequenceNumber = highest &- MissingPackets.capacity &+ 1
    while sequenceNumber < highest, !isDue(sequenceNumber, nowNanoseconds, roundTrip) {
      sequenceNumber = sequenceNumber &+ 1
    }
    guard sequenceNumber < highest else { return nil }
    ask(sequenceNumber, nowNanoseconds)
    var bitmask: UInt16 = 0
    for distance in 1...16 where isDue(sequenceNumber &+ distance, nowNanoseconds, roundTrip) {
      ask(sequenceNumber &+ distance, nowNanoseconds)
      bitmask |= 1 << UInt16(truncatingIfNeeded: distance &- 1)
    }
    return NackPair(packetID: UInt16(truncatingIfNeeded: sequenceNumber), bitmask: bitmask)
  }

  /// When `nextPair` may have something; nil = not before another packet comes, or the round trip or the target changes.
  ///
  /// Real-time: wait-free, a look at 256 packets at most; where nothing is missing, at none.
  @_noLocks
  public func nextDeadlineNanoseconds(roundTripNanoseconds: Int?, targetDelayNanoseconds: Int) -> Int? {
    guard count > 0,
      policy.allowsAsking(
        roundTripNanoseconds: roundTripNanoseconds, targetDelayNanoseconds: targetDelayNanoseconds),
      let roundTrip = roundTripNanoseconds
    else { return nil }
    var earliest: Int?
    for offset in 0..<MissingPackets.capacity {
      let slot = slots + offset
      guard slot.pointee.isMissing else { continue }
      let due = dueNanoseconds(slot.pointee, roundTrip)
      // It will have been given up by then.
      guard due &- slot.pointee.foundNanoseconds <= policy.historyNanoseconds else { continue }
      if let current = earliest, current <= due { continue }
      earliest = due
    }
    return earliest
  }

  /// Gives up what ends at this timestamp or before, because the listener has passed it.
  ///
  /// A packet that is missing is taken to end where those behind it begin, as far apart as packets of this stream are; so one next to
  /// a pause of the sender's may be taken for later than it was, never for earlier.
  ///
  /// Real-time: wait-free, a look at 256 packets at most; where nothing is missing, at none.
  @_noLocks
  public mutating func giveUp(beforeTimestamp timestamp: Int) {
    guard count > 0 else { return }
    for offset in 0..<MissingPackets.capacity {
      let slot = slots + offset
      if slot.pointee.isMissing && slot.pointee.endTimestamp <= timestamp { giveUp(slot) }
    }
  }

  /// Forgets the stream, as when its sender has begun anew; counters stay.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func reset() {
    giveUp(beforeTimestamp: Int.max)
    isEmpty = true
    highestTimestamp = nil
    timestampStep = nil
    overtakenNanoseconds = 0
  }

  /// How far apart in time packets are up to a new one; nil where that is not known.
  @_noLocks
  private mutating func step(to sequenceNumber: Int, _ timestamp: Int?) -> Int? {
    guard let timestamp, let before = highestTimestamp, timestamp > before else { return nil }
    let mean = (timestamp &- before) / (sequenceNumber &- highest)
    if sequenceNumber == highest &+ 1 { timestampStep = mean }
    // What is further apart than packets are has a pause in it, somewhere.
    if let step = timestampStep, step < mean { return step }
    return mean
  }

  @_noLocks
  private func index(_ sequenceNumber: Int) -> Int { sequenceNumber & (MissingPackets.capacity &- 1) }

  @_noLocks
  private mutating func overwrite(_ sequenceNumber: Int, isMissing: Bool, nowNanoseconds: Int) {
    let slot = slots + index(sequenceNumber)
    if slot.pointee.isMissing { giveUp(slot) }
    slot.pointee.sequenceNumber = sequenceNumber
    slot.pointee.isMissing = isMissing
    slot.pointee.wasAsked = false
    slot.pointee.wasRepeated = false
    slot.pointee.isAnswered = false
    slot.pointee.foundNanoseconds = nowNanoseconds
    slot.pointee.endTimestamp = MissingPackets.unknownEnd
    guard isMissing else { return }
    count = count &+ 1
    counters.missing = counters.missing &+ 1
  }

  /// What a network does once it does again, and less so as time goes by.
  @_noLocks
  private mutating func noteOvertaken(_ slot: UnsafeMutablePointer<Slot>, _ nowNanoseconds: Int) {
    counters.late = counters.late &+ 1
    overtakenNanoseconds = overtakenNanoseconds &- overtakenNanoseconds / 32
    let missed = nowNanoseconds &- slot.pointee.foundNanoseconds
    if missed > overtakenNanoseconds { overtakenNanoseconds = missed }
  }

  @_noLocks
  private mutating func giveUp(_ slot: UnsafeMutablePointer<Slot>) {
    slot.pointee.isMissing = false
    count = count &- 1
    counters.givenUp = counters.givenUp &+ 1
  }

  @_noLocks
  private mutating func giveUpOld(nowNanoseconds: Int) {
    guard count > 0 else { return }
    for offset in 0..<MissingPackets.capacity {
      let slot = slots + offset
      guard slot.pointee.isMissing else { continue }
      if nowNanoseconds &- slot.pointee.foundNanoseconds > policy.historyNanoseconds { giveUp(slot) }
    }
  }

  @_noLocks
  private func dueNanoseconds(_ slot: Slot, _ roundTrip: Int) -> Int {
    if slot.wasAsked { return slot.askedNanoseconds &+ roundTrip &+ policy.repetitionNanoseconds }
    let patience = policy.patienceNanoseconds
    return slot.foundNanoseconds &+ (overtakenNanoseconds < patience ? overtakenNanoseconds : patience)
  }

  @_noLocks
  private func isDue(_ sequenceNumber: Int, _ nowNanoseconds: Int, _ roundTrip: Int) -> Bool {
    guard sequenceNumber < highest else { return false }
    let slot = slots[index(sequenceNumber)]
    guard slot.isMissing, slot.sequenceNumber == sequenceNumber else { return false }
    return dueNanoseconds(slot, roundTrip) <= nowNanoseconds
  }

  @_noLocks
  private mutating func ask(_ sequenceNumber: Int, _ nowNanoseconds: Int) {
    let slot = slots + index(sequenceNumber)
    if !slot.pointee.wasAsked { slot.pointee.firstAskedNanoseconds = nowNanoseconds }
    slot.pointee.wasRepeated = slot.pointee.wasAsked
    slot.pointee.wasAsked = true
    slot.pointee.askedNanoseconds = nowNanoseconds
    counters.asked = counters.asked &+ 1
  }
}
