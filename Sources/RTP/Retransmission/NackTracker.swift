/// Which packets of a stream are missing, and when to ask for them again.
///
///     receive(sequence, now) for every packet; then, when the deadline has come:
///     while let pair = missing.nextPair(now, roundTrip, target) { append it to a NACK }
///
/// A state machine: it reads no clock. Its memory is allocated when it is made. Thread: one at a time.
///
/// Source: RFC 4585, section 6.2.1, for what a pair is.
public struct NackTracker: ~Copyable {
  /// How far back the numbers reach: more than 500 ms of packets of 2.5 ms.
  static var capacity: Int { @_noLocks get { 256 } }
  /// What has become of those found so far.
  public internal(set) var counters = NackCounters()
  /// Packets missing now that have not been given up.
  public internal(set) var count = 0
  let policy: NackPolicy
  let slots: UnsafeMutablePointer<NackEntry>
  private var highest = 0
  /// Of the highest packet; nil where it is not known.
  private var highestTimestamp: Int?
  /// From one packet to the next, where none was missing between them.
  private var timestampStep: Int?
  private var isEmpty = true
  /// How long a packet has been missing, at most, that was only overtaken.
  private var overtakenNanoseconds = 0
  /// How far the stream has been played, and when that was; nil where it is not known.
  var played: (timestamp: Int, nanoseconds: Int)?
  /// Whether packets carry FEC; taken for granted until the listener says otherwise.
  var hasFEC = true
  /// By how much answers have come later than a round trip after their request, on the average.
  private var replyNanoseconds = 0
  private var trials = LateNackBudget()
  /// Whether the network has made a duplicate of a packet that was not requested.
  private var hasDuplicates = false

  /// A record of a stream that has not begun.
  public init(policy: NackPolicy = NackPolicy()) {
    self.policy = policy
    slots = .allocate(capacity: NackTracker.capacity)
    slots.initialize(repeating: NackEntry(), count: NackTracker.capacity)
  }

  deinit { slots.deallocate() }

  /// Notes a packet: those between it and the highest so far are missing, and it itself is no longer.
  ///
  /// Real-time: wait-free.
  ///
  /// One that has been asked for may have been under way all the time: what comes within half a round trip of the
  /// request is no answer to it.
  ///
  /// - Parameters:
  ///   - sequenceNumber: Without wraps, as a `SourceArbiter` gives it.
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
      // So that a copy of the first packet is known for one.
      overwrite(sequenceNumber, isMissing: false, nowNanoseconds: nowNanoseconds)
      return false
    }
    if sequenceNumber > highest {
      let step = step(to: sequenceNumber, timestamp)
      // A longer gap than there is room for: its beginning is past help.
      let skipped = sequenceNumber &- highest &- NackTracker.capacity
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
          let end = timestamp &- (sequenceNumber &- highest &- 1) &* step
          slots[index(highest)].endTimestamp = end
          slots[index(highest)].beginTimestamp = end &- step
          // Nobody waits for longer than a packet is asked for, however far the listener is.
          if case .none = played, LocalSource.nanoseconds(timestamp &- end &+ step) > policy.historyNanoseconds {
            slots[index(highest)].isBeyondHelp = true
          }
        }
      }
      highest = sequenceNumber
      highestTimestamp = timestamp
      overwrite(sequenceNumber, isMissing: false, nowNanoseconds: nowNanoseconds)
      return false
    }
    guard isAwaited(sequenceNumber, nowNanoseconds: nowNanoseconds) else { return false }
    let slot = slots + index(sequenceNumber)
    let isLate = slot.pointee.isGivenUp
    takeBack(slot)
    let waited = nowNanoseconds &- slot.pointee.firstAskedNanoseconds
    guard slot.pointee.wasAsked, waited >= (roundTripNanoseconds ?? 0) / 2 else {
      // Nobody would wait for so long that it had been given up.
      if isLate { counters.late = counters.late &+ 1 } else { noteOvertaken(slot, nowNanoseconds) }
      return false
    }
    counters.recovered = counters.recovered &+ 1
    if isLate { counters.recoveredLate = counters.recoveredLate &+ 1 }
    slot.pointee.isAnswered = true
    slot.pointee.isAnsweredLate = isLate
    if !slot.pointee.wasRepeated, let roundTripNanoseconds { noteReply(waited &- roundTripNanoseconds) }
    return true
  }

  /// What another copy of a packet is that was asked for and has come.
  ///
  /// Real-time: wait-free.
  ///
  /// Returns: `.original` once, where the first copy was taken for the answer to the only request: then nothing was
  /// lost, only overtaken. Where the network makes duplicates that proves nothing: it may be one of the answer.
  @_noLocks
  mutating func receiveCopy(_ sequenceNumber: Int, nowNanoseconds: Int) -> PacketCopy {
    let slot = slots + index(sequenceNumber)
    guard !slot.pointee.isMissing, slot.pointee.sequenceNumber == sequenceNumber else { return .first }
    guard slot.pointee.wasAsked else {
      if slot.pointee.isGivenUp { return .first }
      hasDuplicates = true
      return .copy
    }
    guard slot.pointee.isAnswered, !slot.pointee.wasRepeated, !hasDuplicates else { return .answer }
    slot.pointee.isAnswered = false
    counters.recovered = counters.recovered &- 1
    if slot.pointee.isAnsweredLate { counters.recoveredLate = counters.recoveredLate &- 1 }
    noteOvertaken(slot, nowNanoseconds)
    return .original
  }

  /// The next packets to ask for, up to 17 at once; they count as asked for. nil = nothing is due.
  ///
  /// Where `pass` has told how far the listener is, a packet is asked for while the answer can still be played: after a
  /// round trip, and what answers have taken beyond it so far. Where the policy allows buffers to wait for answers,
  /// they are asked for all the same; with FEC, a few.
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
    var sequenceNumber = highest &- NackTracker.capacity &+ 1
    while sequenceNumber < highest, !ask(sequenceNumber, nowNanoseconds, roundTrip) {
      sequenceNumber = sequenceNumber &+ 1
    }
    guard sequenceNumber < highest else { return nil }
    var bitmask: UInt16 = 0
    for distance in 1...16 where ask(sequenceNumber &+ distance, nowNanoseconds, roundTrip) {
      bitmask |= 1 << UInt16(truncatingIfNeeded: distance &- 1)
    }
    return NackPair(packetID: UInt16(truncatingIfNeeded: sequenceNumber), bitmask: bitmask)
  }

  /// When `nextPair` may have something; nil = not before another packet comes, or the round trip or the target
  /// changes.
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
    for offset in 0..<NackTracker.capacity {
      let slot = slots + offset
      guard slot.pointee.isMissing, !slot.pointee.isBeyondHelp else { continue }
      let due = dueNanoseconds(slot.pointee, roundTrip)
      // It will have been given up by then.
      guard due &- slot.pointee.foundNanoseconds <= policy.historyNanoseconds else { continue }
      if let current = earliest, current <= due { continue }
      earliest = due
    }
    return earliest
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
    played = nil
    hasFEC = true
    replyNanoseconds = 0
    trials = LateNackBudget()
    hasDuplicates = false
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
  func index(_ sequenceNumber: Int) -> Int { sequenceNumber & (NackTracker.capacity &- 1) }

  @_noLocks
  private mutating func overwrite(_ sequenceNumber: Int, isMissing: Bool, nowNanoseconds: Int) {
    let slot = slots + index(sequenceNumber)
    if slot.pointee.isMissing { giveUp(slot) }
    slot.pointee = NackEntry(sequenceNumber, isMissing: isMissing, nowNanoseconds: nowNanoseconds)
    guard isMissing else { return }
    count = count &+ 1
    counters.missing = counters.missing &+ 1
  }

  /// What a network does once it does again, and less so as time goes by.
  @_noLocks
  private mutating func noteOvertaken(_ slot: UnsafeMutablePointer<NackEntry>, _ nowNanoseconds: Int) {
    counters.late = counters.late &+ 1
    overtakenNanoseconds = overtakenNanoseconds &- overtakenNanoseconds / 32
    let missed = nowNanoseconds &- slot.pointee.foundNanoseconds
    if missed > overtakenNanoseconds { overtakenNanoseconds = missed }
  }

  @_noLocks
  private func dueNanoseconds(_ slot: NackEntry, _ roundTrip: Int) -> Int {
    if slot.wasAsked { return slot.askedNanoseconds &+ roundTrip &+ policy.repetitionNanoseconds }
    let patience = policy.patienceNanoseconds
    return slot.foundNanoseconds &+ (overtakenNanoseconds < patience ? overtakenNanoseconds : patience)
  }

  @_noLocks
  private func isDue(_ sequenceNumber: Int, _ nowNanoseconds: Int, _ roundTrip: Int) -> Bool {
    guard sequenceNumber < highest else { return false }
    let slot = slots[index(sequenceNumber)]
    guard slot.isMissing, !slot.isBeyondHelp, slot.sequenceNumber == sequenceNumber else { return false }
    return dueNanoseconds(slot, roundTrip) <= nowNanoseconds
  }

  /// By how much an answer to a request that leaves now comes after the packet's sound is needed; 0 or less: in time.
  /// What an outage has taken is too late for anything.
  @_noLocks
  private func lateness(_ slot: NackEntry, _ nowNanoseconds: Int, _ roundTrip: Int) -> Int {
    guard let played, slot.beginTimestamp != NackEntry.unknownTimestamp else { return 0 }
    let needed = played.nanoseconds &+ policy.nanosecondsUntilNeeded(slot.beginTimestamp &- played.timestamp)
    let late = nowNanoseconds &+ roundTrip &+ replyNanoseconds &- needed
    // Where nothing is played any more, the stream has ended.
    let hasEnded = nowNanoseconds &- played.nanoseconds > policy.historyNanoseconds
    return late > 0 && hasEnded ? Int.max : late
  }

  /// Asks for a packet if it is due and the answer can be played. Returns: whether it is asked for.
  @_noLocks
  private mutating func ask(_ sequenceNumber: Int, _ nowNanoseconds: Int, _ roundTrip: Int) -> Bool {
    guard isDue(sequenceNumber, nowNanoseconds, roundTrip) else { return false }
    let slot = slots + index(sequenceNumber)
    let lateness = lateness(slot.pointee, nowNanoseconds, roundTrip)
    if lateness > 0 {
      // Answers show the buffer what it would gain: not those of an outage; where FEC leaves little to gain, only some.
      guard allowsWaiting(roundTripNanoseconds: roundTrip), lateness <= policy.historyNanoseconds,
        !hasFEC || trials.take(nowNanoseconds: nowNanoseconds)
      else {
        slot.pointee.isBeyondHelp = true
        // What answers have taken once is believed for as long as there are new ones.
        replyNanoseconds = replyNanoseconds &- replyNanoseconds / 32
        return false
      }
    }
    if !slot.pointee.wasAsked { slot.pointee.firstAskedNanoseconds = nowNanoseconds }
    slot.pointee.wasRepeated = slot.pointee.wasAsked
    slot.pointee.wasAsked = true
    slot.pointee.askedNanoseconds = nowNanoseconds
    counters.asked = counters.asked &+ 1
    return true
  }

  /// An eighth of each new time counts; less than nothing is nothing.
  @_noLocks
  private mutating func noteReply(_ nanoseconds: Int) {
    replyNanoseconds = replyNanoseconds &+ (nanoseconds &- replyNanoseconds) / 8
    if replyNanoseconds < 0 { replyNanoseconds = 0 }
  }
}
