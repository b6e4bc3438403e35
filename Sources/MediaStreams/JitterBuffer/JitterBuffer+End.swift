import AudioGraph
import Platform
import RTP

extension JitterBuffer {
  /// Audible rest of a stream that ends, in samples: 5 ms.
  private static var fadeOutSamples: Int { @_noLocks get { 240 } }

  /// Ends the stream; a packet that follows is the first of another. The audible rest fades out over 5 ms.
  @_noLocks
  mutating func end() {
    let kept = min(samples.held, JitterBuffer.fadeOutSamples)
    let made = (concealed: segments.concealedCount, frozen: segments.frozenCount)
    segments.truncate(to: kept)
    let unheard = made.concealed &- segments.concealedCount
    leaveOut(concealed: unheard, frozen: made.frozen &- segments.frozenCount)
    counters.droppedSamples &+= samples.held &- kept &- unheard
    samples.truncate(to: kept)
    fadeOut()
    forget()
  }

  /// Takes concealed samples that are not played out of the counters.
  @_noLocks
  mutating func leaveOut(concealed: Int, frozen: Int) {
    counters.concealedSamples &-= concealed
    counters.silentConcealedSamples &-= frozen
    counters.frozenSamples &-= frozen
  }

  /// Ends the stream because no packet comes; if its sender continues, the numbers state the loss meanwhile.
  @_noLocks
  mutating func endSilently() {
    ReachPoints.note(.streamEndedSilently)
    let (ssrc, highest, run, made) = (stream.ssrc, window.highestSequence, cursor.frozenRun, concealment.run)
    let next = cursor.endTimestamp &- made &- run
    end()
    guard let ssrc, let highest else { return }
    stream.silent = SilentEnd(
      ssrc: ssrc, next: UInt16(truncatingIfNeeded: highest &+ 1), nextTimestamp: next, frozenRun: run,
      concealedRun: made &+ run,
      idleBefore: counters.idleSamples, clock: clock)
  }

  /// Counts the packets lost since a stream ended by silence, if the stream continues. The silence since then belonged
  /// to the loss, or to a pause of the sender.
  @_noLocks
  mutating func countLost(
    before sequence: Int, timestamp: Int, of source: UInt32, _ info: PayloadInfo, arrival: Int
  ) {
    guard let silent = stream.silent, silent.ssrc == source else { return }
    let count = silent.lostCount(before: sequence, timestamp: timestamp, sampleCount: info.sampleCount)
    // Numbers and timestamps that do not continue as time has are not a loss: the sender has restarted. Packets may
    // have become longer meanwhile.
    let elapsed = arrival &- stream.newestArrival &+ 1_000_000_000
    let passed = silent.samplesPassed(before: timestamp)
    // The shortest packets of Opus have 2.5 ms.
    let shortest = min(info.sampleCount, 120)
    guard passed >= 0, JitterBuffer.nanoseconds(passed) <= elapsed, count &* shortest <= passed else { return }
    if count > 0 { ReachPoints.note(.streamContinued) }
    missingBefore &+= count
    countOutage(lost: count)
    let outage = min(count &* info.sampleCount, passed) &- silent.concealedRun
    let moved = count == 0 ? 0 &- silent.frozenRun : max(0, min(outage, counters.idleSamples &- silent.idleBefore))
    counters.idleSamples &-= moved
    counters.concealedSamples &+= moved
    counters.silentConcealedSamples &+= moved
    counters.frozenSamples &+= moved
    if moved > 0 { counters.outageSamples &+= moved }
  }

  /// Notes the sender's BYE: packets that have come are played to their end, and the stream ends then.
  @_noLocks
  public mutating func receiveBye() { if !stage.isIdle { stream.isLeaving = true } }

  /// Ends a stream after its sender has left: only decoded samples still wait.
  @_noLocks
  mutating func endPlayed() {
    ReachPoints.note(.streamPlayedOut)
    fadeOut()
    forget()
  }

  @_noLocks
  private mutating func fadeOut() {
    let faded = min(samples.held, JitterBuffer.fadeOutSamples)
    if faded > 0 { samples.scale(from: faded, faded, Ramp(from: 1, to: 0)) }
  }

  /// Samples of an outage that lasts: since the last packet, once concealment has faded out.
  var overdueSamples: Int {
    @_noLocks get {
      if let silent = stream.silent { return silent.concealedRun &+ counters.idleSamples &- silent.idleBefore }
      return cursor.frozenRun > 0 ? concealment.run &+ cursor.frozenRun : 0
    }
  }

  /// Counts an outage that is over, by the packets lost in it; if none was lost, it was a pause of the sender.
  @_noLocks
  mutating func countOutage(lost count: Int) {
    guard count > 0 else { return }
    counters.overdueSamples &+= overdueSamples
    counters.packetsLostOverdue &+= count
  }

  /// Forgets the stream.
  @_noLocks
  private mutating func forget() {
    counters.packetsDiscarded &+= packets.removeAll()
    missingBefore &+= window.missingCount
    window.reset()
    repaired.reset()
    stream.end()
    arbiter.reset()
    learnedType = LearnedPayloadType()
    cursor.frozenRun = 0
    stage = .idle
  }
}
