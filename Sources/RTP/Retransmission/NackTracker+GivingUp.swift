extension NackTracker {
  /// Notes the listener's position, and gives up the packets before it.
  ///
  /// Real-time: wait-free; it examines 256 packets at most, and none if nothing is missing.
  ///
  /// - Parameters:
  ///   - timestamp: timestamp of the first sample that is heard at `nanoseconds`, without wraps.
  ///   - nanoseconds: time at which that sample is heard.
  ///   - hasFEC: whether packets carry FEC at present.
  @_noLocks
  public mutating func pass(timestamp: Int, atNanoseconds nanoseconds: Int, hasFEC: Bool = true) {
    played = (timestamp, nanoseconds)
    self.hasFEC = hasFEC
    giveUp(beforeTimestamp: timestamp)
  }

  /// Returns whether the buffer may grow for answers at present.
  @_noLocks
  func allowsWaiting(roundTripNanoseconds: Int?) -> Bool {
    policy.allowsWaiting(roundTripNanoseconds: roundTripNanoseconds, hasFEC: hasFEC)
  }

  /// Gives up packets that end at this timestamp or before, because the listener has passed it.
  ///
  /// A missing packet is taken to end at the beginning of those behind it, with the packet spacing of this stream. A
  /// packet next to a pause of the sender may thus be taken for later than it was, never for earlier.
  ///
  /// Real-time: wait-free; it examines 256 packets at most, and none if nothing is missing.
  @_noLocks
  public mutating func giveUp(beforeTimestamp timestamp: Int) {
    guard count > 0 else { return }
    for offset in 0..<NackTracker.capacity {
      let slot = slots + offset
      if slot.pointee.isMissing && slot.pointee.endTimestamp <= timestamp { giveUp(slot) }
    }
  }

  /// Returns whether a packet is missing, or was given up so recently that an answer may still be in transit.
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

  /// Marks a packet that has arrived as neither missing nor given up.
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
