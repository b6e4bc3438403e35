import AudioGraph
import RTP

extension JitterBuffer {
  /// What is heard of a stream that ends: 5 ms.
  private static var fadeOutSamples: Int { @_noLocks get { 240 } }

  /// The stream ends; a packet that follows is the first of another. What is heard fades out over 5 ms.
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
    let (ssrc, highest, run, made) = (stream.ssrc, window.highestSequence, cursor.frozenRun, concealment.run)
    let next = cursor.endTimestamp &- made &- run
    end()
    guard let ssrc, let highest else { return }
    stream.silent = SilentEnd(
      ssrc: ssrc, next: UInt16(truncatingIfNeeded: highest &+ 1), nextTimestamp: next, frozenRun: run,
      concealedRun: made &+ run,
      idleBefore: counters.idleSamples)
  }

  /// Counts what was lost while nothing came, where a stream that had ended by that goes on; the silence since then was
  /// the loss's, or a pause of the sender's.
  @_noLocks
  mutating func countLost(
    before sequence: Int, timestamp: Int, of source: UInt32, _ info: PayloadInfo, arrival: Int
  ) {
    guard let silent = stream.silent, silent.ssrc == source else { return }
    let count = silent.lostCount(before: sequence, timestamp: timestamp, sampleCount: info.sampleCount)
    // Numbers and timestamps that do not go on as time has are no loss: its sender has begun anew. Packets may have
    // become longer meanwhile.
    let elapsed = arrival &- stream.newestArrival &+ 1_000_000_000
    let passed = silent.samplesPassed(before: timestamp)
    // The shortest of Opus have 2.5 ms.
    let shortest = min(info.sampleCount, 120)
    guard passed >= 0, JitterBuffer.nanoseconds(passed) <= elapsed, count &* shortest <= passed else { return }
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

  /// The sender has said goodbye: what has come is played to its end, and the stream has ended then.
  @_noLocks
  public mutating func receiveBye() { if !stage.isIdle { stream.isLeaving = true } }

  /// The end of a stream whose sender has left: nothing waits any more but what has been decoded.
  @_noLocks
  mutating func endPlayed() {
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

  /// An outage is over, and the numbers say how many packets were lost in it: none was a pause of the sender's.
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
