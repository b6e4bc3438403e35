extension NackTracker {
  /// Notes how far the listener is, and gives up what he has passed.
  ///
  /// Real-time: wait-free, a look at 256 packets at most; where nothing is missing, at none.
  ///
  /// - Parameters:
  ///   - timestamp: of the first sample that is heard at `nanoseconds`, without wraps.
  ///   - hasFEC: whether packets carry FEC just now.
  @_noLocks
  public mutating func pass(timestamp: Int, atNanoseconds nanoseconds: Int, hasFEC: Bool = true) {
    played = (timestamp, nanoseconds)
    self.hasFEC = hasFEC
    giveUp(beforeTimestamp: timestamp)
  }

  /// Whether the buffer may grow for answers as things are.
  @_noLocks
  func allowsWaiting(roundTripNanoseconds: Int?) -> Bool {
    policy.allowsWaiting(roundTripNanoseconds: roundTripNanoseconds, hasFEC: hasFEC)
  }

  /// Gives up what ends at this timestamp or before, because the listener has passed it.
  ///
  /// A packet that is missing is taken to end where those behind it begin, as far apart as packets of this stream are;
  /// so one next to a pause of the sender's may be taken for later than it was, never for earlier.
  ///
  /// Real-time: wait-free, a look at 256 packets at most; where nothing is missing, at none.
  @_noLocks
  public mutating func giveUp(beforeTimestamp timestamp: Int) {
    guard count > 0 else { return }
    for offset in 0..<NackTracker.capacity {
      let slot = slots + offset
      if slot.pointee.isMissing && slot.pointee.endTimestamp <= timestamp { giveUp(slot) }
    }
  }

  /// Whether a packet is missing, or was given up so short a time ago that an answer may still be under way.
  ///
  /// Real-time: wait-free.
  @_noLocks
  func isAwaited(_ sequenceNumber: Int, nowNanoseconds: Int) -> Bool {
    let slot = slots + index(sequenceNumber)
    guard slot.pointee.sequenceNumber == sequenceNumber else { return false }
    if slot.pointee.isMissing { return true }
    return slot.pointee.isGivenUp && nowNanoseconds &- slot.pointee.foundNanoseconds <= policy.historyNanoseconds
  }

  @_noLocks
  mutating func giveUp(_ slot: UnsafeMutablePointer<NackEntry>) {
    slot.pointee.isMissing = false
    slot.pointee.isGivenUp = true
    count = count &- 1
    counters.givenUp = counters.givenUp &+ 1
  }

  /// A packet that has come is missing no longer, nor has it been given up.
  @_noLocks
  mutating func takeBack(_ slot: UnsafeMutablePointer<NackEntry>) {
    if slot.pointee.isGivenUp { counters.givenUp = counters.givenUp &- 1 } else { count = count &- 1 }
    slot.pointee.isGivenUp = false
    slot.pointee.isMissing = false
  }

  @_noLocks
  mutating func giveUpOld(nowNanoseconds: Int) {
    guard count > 0 else { return }
    for offset in 0..<NackTracker.capacity {
      let slot = slots + offset
      guard slot.pointee.isMissing else { continue }
      if nowNanoseconds &- slot.pointee.foundNanoseconds > policy.historyNanoseconds { giveUp(slot) }
    }
  }
}
