import AudioGraph

extension JitterBuffer {
  /// Splices are faded over so many samples: 5 ms.
  private static var fade: Int { @_noLocks get { 240 } }
  /// Delays nearer than this to what they should be are left to the resampler: 4 ms.
  private static var tolerance: Int { @_noLocks get { 192 } }
  /// Frames between two splices while it is not urgent, so that a voice keeps its rhythm.
  private static var pause: Int { @_noLocks get { 5 } }
  /// A delay that is off by so much is as urgent as can be: 50 ms.
  private static var urgent: Int { @_noLocks get { 2_400 } }
  /// The most packets that are decoded in one tick to be left out, where seconds of silence wait: what a tick costs has
  /// a bound.
  private static var mostLeftOut: Int { @_noLocks get { 16 } }

  /// Brings the delay nearer to what it should be: at once where nothing is said, by whole periods of a voice, or by
  /// playing imperceptibly faster or slower.
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
    } else if excess < 0 &- (delay.isDrifting ? LagSearch.minimumLag : JitterBuffer.margin) {
      // While the clock does not drift, the least that is missing lets packets be needed a whole frame earlier.
      excess &+= decelerate(0 &- excess)
    }
    trim(excess)
  }

  /// Lets the resampler follow the sender's clock, and take what is left of a delay's error over some seconds.
  @_noLocks
  private mutating func trim(_ excess: Int) {
    // 1 ms of error is 50 ppm; a voice may be 500 ppm, less than a hundredth of a semitone, off without anybody
    // noticing.
    let trim = abs(excess) < 12 ? 0 : max(-500, min(500, Double(excess) / 48 * 50))
    let ppm = delay.clock.ppm + trim
    if ppm == 0 { resampler.settle(over: JitterBuffer.samplesPerFrame) } else { resampler.setRate(ppm * 1e-6) }
  }

  /// Plays less than there is. Returns: samples left out.
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
    let longest = min(excess, min(playable &- JitterBuffer.samplesPerFrame, samples.held &- LagSearch.half))
    if longest < LagSearch.minimumLag { return 0 }
    let match = lagSearch.later(samples, centre: 0, longest: longest)
    if match.similarity < leastSimilarity(urgency) { return 0 }
    remove(match.lag)
    return match.lag
  }

  /// How similar two places must be for a splice: the less, the more urgent it is and the longer none has been found.
  @_noLocks
  private func leastSimilarity(_ urgency: Float) -> Float {
    max(0.3, 0.85 - 0.45 * urgency - 0.005 * Float(rendered.framesSinceSplice))
  }

  /// Plays more than there is. Returns: samples added.
  ///
  /// A delay of seconds is more than the samples' memory holds: then no more is added than is played.
  @_noLocks
  private mutating func decelerate(_ lack: Int) -> Int {
    if samples.room < LagSearch.maximumLag { return 0 }
    if isQuiet(ahead: false) {
      let lag = min(lack, min(SampleBuffer.historyCount / 2, samples.room))
      repeatLast(lag)
      return lag
    }
    var match = lagSearch.earlier(samples, centre: 0, shortest: lack)
    if match.similarity < 0.5 { match = lagSearch.earlier(samples, centre: 0) }
    // What comes too late costs more than a splice that is heard.
    if match.similarity < 0.5 && rendered.framesSinceSplice < JitterBuffer.pause { return 0 }
    repeatLast(match.lag)
    return match.lag
  }

  /// Decodes the next packet before its time, so that there is something to leave out. Returns: whether it was there.
  @_noLocks @discardableResult
  private mutating func decodeAhead(_ excess: Int) -> Bool {
    let wanted = JitterBuffer.samplesPerFrame &+ min(excess, LagSearch.maximumLag) &+ LagSearch.half
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
    // What was made up and is heard for longer is made up.
    leaveOut(concealed: 0 &- again, frozen: made.frozen &- segments.frozenCount)
    counters.insertedSamplesForDeceleration &+= lag &- again
    rendered.framesSinceSplice = 0
  }

  /// Whether so little is heard around the next sample that nobody misses a part of it.
  @_noLocks
  private func isQuiet(ahead: Bool) -> Bool {
    ahead
      ? samples.isQuiet(from: 0, count: min(samples.held, 1_440), below: JitterBuffer.quietPeak)
      : samples.isQuiet(from: -480, count: 480 &+ JitterBuffer.fade, below: JitterBuffer.quietPeak)
  }

  /// Peaks below this are as good as silence: -50 dB.
  private static var quietPeak: Float { @_noLocks get { 0.003 } }
}
