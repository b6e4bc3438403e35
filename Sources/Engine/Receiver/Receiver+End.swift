import AudioGraph

extension Receiver {
  /// What is heard of a stream that ends: 5 ms.
  private static var fadeOutSamples: Int { @_noLocks get { 240 } }

  /// The stream ends; a packet that follows is the first of another. What is heard fades out over 5 ms.
  @_noLocks
  mutating func end() {
    let kept = min(samples.held, Receiver.fadeOutSamples)
    let made = (concealed: segments.concealedCount, frozen: segments.frozenCount)
    segments.truncate(to: kept)
    let unheard = made.concealed &- segments.concealedCount
    leaveOut(concealed: unheard, frozen: made.frozen &- segments.frozenCount)
    counters.droppedSamples &+= samples.held &- kept &- unheard
    samples.truncate(to: kept)
    fadeOut()
    forget()
  }

  /// What was made up and is not heard is not counted.
  @_noLocks
  mutating func leaveOut(concealed: Int, frozen: Int) {
    counters.concealedSamples &-= concealed
    counters.silentConcealedSamples &-= frozen
    counters.frozenSamples &-= frozen
  }

  /// The stream ends because nothing comes; if its sender goes on, the numbers say what has been lost meanwhile.
  @_noLocks
  mutating func endSilently() {
    let (ssrc, highest, run, made) = (ssrc, window.highestSequence, frozenRun, concealment.run)
    let next = endTimestamp &- made &- run
    end()
    guard let ssrc, let highest else { return }
    silent = SilentEnd(
      ssrc: ssrc, next: UInt16(truncatingIfNeeded: highest &+ 1), nextTimestamp: next, frozenRun: run,
      concealedRun: made &+ run,
      idleBefore: counters.idleSamples)
  }

  /// Counts what was lost while nothing came, where a stream that had ended by that goes on; the silence since then was the loss's, or
  /// a pause of the sender's.
  @_noLocks
  mutating func countLost(
    before sequence: Int, timestamp: Int, of source: UInt32, _ info: PayloadInfo, arrival: Int
  ) {
    guard let silent, silent.ssrc == source else { return }
    let count = silent.lostCount(before: sequence, timestamp: timestamp, sampleCount: info.sampleCount)
    // More than there was time for is no loss: its sender has begun anew.
    let elapsed = arrival &- newestArrival &+ 1_000_000_000
    guard count &* Receiver.nanoseconds(info.sampleCount) <= elapsed else { return }
    missingBefore &+= count
    let outage = count &* info.sampleCount &- silent.concealedRun
    let moved = count == 0 ? 0 &- silent.frozenRun : max(0, min(outage, counters.idleSamples &- silent.idleBefore))
    counters.idleSamples &-= moved
    counters.concealedSamples &+= moved
    counters.silentConcealedSamples &+= moved
    counters.frozenSamples &+= moved
    if moved > 0 { counters.outageSamples &+= moved }
  }

  /// The sender has said goodbye: what has come is played to its end, and the stream has ended then.
  @_noLocks
  public mutating func leave() { if !stage.isIdle { isLeaving = true } }

  /// The end of a stream whose sender has left: nothing waits any more but what has been decoded.
  @_noLocks
  mutating func endPlayed() {
    fadeOut()
    forget()
  }

  @_noLocks
  private mutating func fadeOut() {
    let faded = min(samples.held, Receiver.fadeOutSamples)
    if faded > 0 { samples.scale(from: faded, faded, Ramp(from: 1, to: 0)) }
  }

  /// Packets that should have come while nothing has, by time: as long as nobody can know them by their numbers.
  var overdueCount: Int {
    @_noLocks get {
      if let silent { return (silent.concealedRun &+ counters.idleSamples &- silent.idleBefore) / packetSampleCount }
      guard frozenRun > 0, !isPacketWaiting else { return 0 }
      return (concealment.run &+ frozenRun) / packetSampleCount
    }
  }

  /// Forgets the stream.
  @_noLocks
  private mutating func forget() {
    counters.packetsDiscarded &+= packets.removeAll()
    missingBefore &+= window.missingCount
    window.reset()
    recovered.reset()
    resent.reset()
    resentInTime.reset()
    silent = nil
    gate.reset()
    ssrc = nil
    frozenRun = 0
    isLeaving = false
    audioLevel = nil
    stage = .idle
  }
}
