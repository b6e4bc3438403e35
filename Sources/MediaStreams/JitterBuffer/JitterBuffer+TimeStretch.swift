import AudioGraph

extension JitterBuffer {
  /// Samples over which splices are faded: 5 ms.
  private static var fade: Int { @_noLocks get { 240 } }
  /// Error of the delay, in samples, up to which it is left to the resampler: 4 ms.
  private static var tolerance: Int { @_noLocks get { 192 } }
  /// Frames between two splices that are not urgent, so that a voice keeps its rhythm.
  private static var pause: Int { @_noLocks get { 5 } }
  /// Error of the delay, in samples, with the highest urgency: 50 ms.
  private static var urgent: Int { @_noLocks get { 2_400 } }
  /// Maximum of packets decoded in one tick to be left out, if seconds of silence wait: the cost of a tick has a bound.
  private static var mostLeftOut: Int { @_noLocks get { 16 } }

  /// Brings the delay nearer to its target: at once in silence, by whole periods of a voice, or by imperceptibly faster
  /// or slower playout.
  @_noLocks
  mutating func adapt(now: Int) {
    if stage.isSilent { return resampler.setRate(0) }
    let due = playoutTransit(at: now)
    let phase = JitterBuffer.phase(due)
    let played = due &+ JitterBuffer.nanoseconds(playable)
    let target = delay.target(phase: phase, current: played, now: now)
    delay.setTarget(target)
    var excess = delay.clock.samples(in: played &- target) &- JitterBuffer.margin
    rendered.framesSinceSplice &+= 1
    if excess > JitterBuffer.tolerance {
      excess &-= accelerate(excess)
    } else if excess < 0 &- (delay.isWandering ? TimeStretchLagSearch.minimumLag : JitterBuffer.margin) {
      // While the clock does not drift, the smallest lack makes packets needed a whole frame earlier.
      excess &+= decelerate(0 &- excess)
    }
    trim(excess)
  }

  /// Makes the resampler follow the sender's clock, and correct the rest of a delay's error over some seconds.
  @_noLocks
  private mutating func trim(_ excess: Int) {
    // 1 ms of error is 50 ppm; a voice may be 500 ppm off unnoticed, less than a hundredth of a semitone.
    let trim = abs(excess) < 12 ? 0 : max(-500, min(500, Double(excess) / 48 * 50))
    let ppm = delay.clock.ppm + trim
    if ppm == 0 { resampler.settle(over: JitterBuffer.samplesPerFrame) } else { resampler.setRate(ppm * 1e-6) }
  }

  /// Leaves out waiting samples.
  ///
  /// - Returns: samples left out.
  @_noLocks
  private mutating func accelerate(_ excess: Int) -> Int {
    while decodeAhead(excess) {}
    var removed = 0
    for _ in 0..<JitterBuffer.mostLeftOut {
      guard isQuiet(ahead: true) else { break }
      let lag = min(excess &- removed, min(playable &- JitterBuffer.samplesPerFrame, samples.held &- JitterBuffer.fade))
      if lag <= 0 { break }
      remove(lag)
      removed &+= lag
      if removed == excess { return removed }
      if !decodeAhead(excess &- removed) { break }
    }
    let urgency = min(1, Float(excess) / Float(JitterBuffer.urgent))
    if removed > 0 || Float(rendered.framesSinceSplice) < Float(JitterBuffer.pause) * (1 - urgency) { return removed }
    let longest = min(excess, min(playable &- JitterBuffer.samplesPerFrame, samples.held &- TimeStretchLagSearch.half))
    if longest < TimeStretchLagSearch.minimumLag { return 0 }
    let match = lagSearch.later(samples, centre: 0, longest: longest)
    if match.similarity < leastSimilarity(urgency) { return 0 }
    remove(match.lag)
    return match.lag
  }

  /// Returns the least similarity of two places for a splice: the lower, the more urgent it is and the longer none has
  /// been found.
  @_noLocks
  private func leastSimilarity(_ urgency: Float) -> Float {
    max(0.3, 0.85 - 0.45 * urgency - 0.005 * Float(rendered.framesSinceSplice))
  }

  /// Plays samples again.
  ///
  /// A delay of seconds exceeds the capacity of the sample buffer: then no more is added than is played.
  ///
  /// - Returns: samples added.
  @_noLocks
  private mutating func decelerate(_ lack: Int) -> Int {
    if samples.room < TimeStretchLagSearch.maximumLag { return 0 }
    if isQuiet(ahead: false) {
      let lag = min(lack, min(SampleBuffer.historyCount / 2, samples.room))
      repeatLast(lag)
      return lag
    }
    var match = lagSearch.earlier(samples, centre: 0, shortest: lack)
    if match.similarity < 0.5 { match = lagSearch.earlier(samples, centre: 0) }
    // A packet that comes too late costs more than an audible splice.
    if match.similarity < 0.5 && rendered.framesSinceSplice < JitterBuffer.pause { return 0 }
    repeatLast(match.lag)
    return match.lag
  }

  /// Decodes the next packet before its time, so that there are samples to leave out.
  ///
  /// - Returns: whether the packet was there.
  @_noLocks @discardableResult
  private mutating func decodeAhead(_ excess: Int) -> Bool {
    let wanted =
      JitterBuffer.samplesPerFrame &+ min(excess, TimeStretchLagSearch.maximumLag) &+ TimeStretchLagSearch.half
    guard playable < wanted, stage.isPlaying, let slot = packets.packet(cursor.nextSequence),
      slot.pointee.timestamp == cursor.endTimestamp, samples.room > slot.pointee.sampleCount
    else { return false }
    decode(slot, skipping: 0)
    return true
  }

  @_noLocks
  private mutating func remove(_ lag: Int) {
    samples.accelerate(lag, fade: min(JitterBuffer.fade, samples.held &- lag))
    let made = (concealed: segments.concealedCount, frozen: segments.frozenCount)
    var left = lag
    while left > 0, let segment = segments.take(upTo: left) { left &-= segment.count }
    let unheard = made.concealed &- segments.concealedCount
    leaveOut(concealed: unheard, frozen: made.frozen &- segments.frozenCount)
    counters.removedSamplesForAcceleration &+= lag &- unheard
    rendered.framesSinceSplice = 0
  }

  @_noLocks
  private mutating func repeatLast(_ lag: Int) {
    samples.expand(lag, fade: JitterBuffer.fade)
    let made = (concealed: segments.concealedCount, frozen: segments.frozenCount)
    segments.growFront(by: lag)
    let again = segments.concealedCount &- made.concealed
    // Concealed sound that is played for longer counts as concealed.
    leaveOut(concealed: 0 &- again, frozen: made.frozen &- segments.frozenCount)
    counters.insertedSamplesForDeceleration &+= lag &- again
    rendered.framesSinceSplice = 0
  }

  /// Returns whether the sound around the next sample is so quiet that a part of it is not missed.
  @_noLocks
  private func isQuiet(ahead: Bool) -> Bool {
    ahead
      ? samples.isQuiet(from: 0, count: min(samples.held, 1_440), below: JitterBuffer.quietPeak)
      : samples.isQuiet(from: -480, count: 480 &+ JitterBuffer.fade, below: JitterBuffer.quietPeak)
  }

  /// Peak below which sound is as good as silence: -50 dB.
  private static var quietPeak: Float { @_noLocks get { 0.003 } }
}
