/// Missing packets of a stream, and the times to request them.
///
///     receive(sequence, now) for every packet; then, when the deadline has come:
///     while let pair = missing.nextPair(now, roundTrip, target) { append it to a NACK }
///
/// A state machine: it reads no clock. Its memory is allocated at initialization. Thread: one at a time.
///
/// Source: RFC 4585, section 6.2.1, for the form of a pair.
public struct NackTracker: ~Copyable {
  /// Capacity of the tracker in packets: more than 500 ms of packets of 2.5 ms.
  static var capacity: Int { @_noLocks get { 256 } }
  /// Outcome of the packets found missing so far.
  public internal(set) var counters = NackCounters()
  /// Packets missing now, without those given up.
  public internal(set) var count = 0
  let policy: NackPolicy
  let slots: UnsafeMutablePointer<NackEntry>
  private var highest = 0
  /// Timestamp of the highest packet; nil if unknown.
  private var highestTimestamp: Int?
  /// Timestamp step from one packet to the next, without a missing one between them; nil if unknown.
  private var timestampStep: Int?
  private var isEmpty = true
  /// Longest time that an overtaken packet has been missing.
  private var overtakenNanoseconds = 0
  /// Playout position and its time; nil if unknown.
  var played: (timestamp: Int, nanoseconds: Int)?
  /// Whether packets carry FEC; assumed until the listener reports otherwise.
  var hasFEC = true
  /// Mean delay of answers beyond a round trip after their request.
  private var replyNanoseconds = 0
  private var trials = LateNackBudget()
  /// Whether the network has duplicated a packet that was not requested.
  private var hasDuplicates = false

  /// Creates a tracker of a stream that has not begun.
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
  /// A requested packet may have been in transit all the time: a packet that arrives within half a round trip of the
  /// request is not an answer to it.
  ///
  /// - Parameters:
  ///   - sequenceNumber: number of the packet without wraps, as a `SourceArbiter` gives it.
  ///   - timestamp: timestamp of the packet without wraps; nil if its place in time is unknown.
  ///   - nowNanoseconds: time of arrival.
  ///   - roundTripNanoseconds: round trip; nil if unknown.
  /// - Returns: Whether the packet is a retransmission.
  @_noLocks @discardableResult
  public mutating func receive(
    _ sequenceNumber: Int, timestamp: Int? = nil, nowNanoseconds: Int, roundTripNanoseconds: Int? = nil
  ) -> Bool {
    if isEmpty {
      isEmpty = false
      highest = sequenceNumber
      highestTimestamp = timestamp
      // So that a duplicate of the first packet is recognized.
      overwrite(sequenceNumber, isMissing: false, nowNanoseconds: nowNanoseconds)
      return false
    }
    if sequenceNumber > highest {
      let step = step(to: sequenceNumber, timestamp)
      // A gap longer than the capacity: its beginning cannot be recovered.
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
          // The packet ends at the beginning of the next one.
          let end = timestamp &- (sequenceNumber &- highest &- 1) &* step
          slots[index(highest)].endTimestamp = end
          slots[index(highest)].beginTimestamp = end &- step
          // No buffer waits for longer than packets are requested, at any position of the listener.
          if case .none = played, NackPolicy.nanoseconds(timestamp &- end &+ step) > policy.historyNanoseconds {
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
      // No buffer would wait until the packet is given up.
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

  /// Classifies a further arrival of a packet that was requested and has arrived.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: `.original` once, if the first arrival was taken for the answer to the only request: then nothing was
  ///   lost, only overtaken. In a network that makes duplicates that proves nothing, since it may be a duplicate of the
  ///   answer.
  @_noLocks
  package mutating func receiveCopy(_ sequenceNumber: Int, nowNanoseconds: Int) -> PacketCopy {
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

  /// Returns the next packets to request, up to 17 at once, and counts them as requested; nil if nothing is due.
  ///
  /// Once `pass` has reported the listener's position, a packet is requested while the answer can still be played. The
  /// answer is expected after a round trip + the extra time that answers have taken so far. If the policy allows
  /// buffers to wait for answers, packets are requested all the same; with FEC, a few.
  ///
  /// Real-time: wait-free; it examines 256 packets at most, and none if nothing is missing.
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

  /// Returns the time at which `nextPair` may have something. nil means not before another packet arrives, or the round
  /// trip or the target changes.
  ///
  /// Real-time: wait-free; it examines 256 packets at most, and none if nothing is missing.
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

  /// Forgets the stream, for example after a restart of its sender; counters stay.
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

  /// Returns the timestamp step between the packets up to a new one; nil if unknown.
  @_noLocks
  private mutating func step(to sequenceNumber: Int, _ timestamp: Int?) -> Int? {
    guard let timestamp, let before = highestTimestamp, timestamp > before else { return nil }
    let mean = (timestamp &- before) / (sequenceNumber &- highest)
    if sequenceNumber == highest &+ 1 { timestampStep = mean }
    // A step longer than that of the packets has a pause in it, somewhere.
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

  /// Notes an overtaken packet. A network that reorders once does so again, and less so as time passes.
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

  /// Returns the time by which the answer to a request that leaves now is late for playout; 0 or less if in time.
  /// Packets lost in an outage are too late for anything.
  @_noLocks
  private func lateness(_ slot: NackEntry, _ nowNanoseconds: Int, _ roundTrip: Int) -> Int {
    guard let played, slot.beginTimestamp != NackEntry.unknownTimestamp else { return 0 }
    let needed = played.nanoseconds &+ policy.nanosecondsUntilNeeded(slot.beginTimestamp &- played.timestamp)
    let late = nowNanoseconds &+ roundTrip &+ replyNanoseconds &- needed
    // The stream has ended if nothing is played any more.
    let hasEnded = nowNanoseconds &- played.nanoseconds > policy.historyNanoseconds
    return late > 0 && hasEnded ? Int.max : late
  }

  /// Requests a packet if it is due and the answer can be played.
  ///
  /// - Returns: Whether the packet is requested.
  @_noLocks
  private mutating func ask(_ sequenceNumber: Int, _ nowNanoseconds: Int, _ roundTrip: Int) -> Bool {
    guard isDue(sequenceNumber, nowNanoseconds, roundTrip) else { return false }
    let slot = slots + index(sequenceNumber)
    let lateness = lateness(slot.pointee, nowNanoseconds, roundTrip)
    if lateness > 0 {
      // Late answers show the buffer its gain from waiting. Those of an outage do not; with FEC, which leaves little to
      // gain, a few suffice.
      guard allowsWaiting(roundTripNanoseconds: roundTrip), lateness <= policy.historyNanoseconds,
        !hasFEC || trials.take(nowNanoseconds: nowNanoseconds)
      else {
        slot.pointee.isBeyondHelp = true
        // The extra time of answers is believed for as long as there are new ones.
        replyNanoseconds = replyNanoseconds &- replyNanoseconds / 32
        return false
      }
    }
    if !slot.pointee.wasAsked { slot.pointee.firstAskedNanoseconds = nowNanoseconds }
    slot.pointee.wasRepeated = slot.pointee.wasAsked
    slot.pointee.wasAsked = true
    slot.pointee.askedNanoseconds = nowNanoseconds
    counters.requested = counters.requested &+ 1
    return true
  }

  /// Notes the extra time of an answer: each new time counts an eighth, and a mean below 0 becomes 0.
  @_noLocks
  private mutating func noteReply(_ nanoseconds: Int) {
    replyNanoseconds = replyNanoseconds &+ (nanoseconds &- replyNanoseconds) / 8
    if replyNanoseconds < 0 { replyNanoseconds = 0 }
  }
}
