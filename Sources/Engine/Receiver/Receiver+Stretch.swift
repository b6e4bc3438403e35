import AudioGraph

extension Receiver {
  /// Splices are faded over so many samples: 5 ms.
  private static var fade: Int { @_noLocks get { 240 } }
  /// Delays nearer than this to what they should be are left to the resampler: 4 ms.
  private static var tolerance: Int { @_noLocks get { 192 } }
  /// From here on a splice may be heard a little rather than wait: 50 ms.
  private static var urgent: Int { @_noLocks get { 2_400 } }
  /// Frames between two splices while it is not urgent, so that a voice keeps its rhythm.
  private static var pause: Int { @_noLocks get { 5 } }

  /// Brings the delay nearer to what it should be: at once where nothing is said, by whole periods of a voice, or by
  /// playing imperceptibly faster or slower.
  @_noLocks
  mutating func adapt(now: Int) {
    if stage.isSilent { return resampler.setRate(0) }
    let due = playoutTransit(at: now)
    let phase = Receiver.phase(due)
    let played = due &+ Receiver.nanoseconds(playable)
    let current = phase &+ (played &- phase) / 10_000_000 &* 10_000_000
    let target = delay.target(phase: phase, current: current, now: now)
    delay.setTarget(target)
    var excess = delay.clock.samples(in: played &- target)
    framesSinceSplice &+= 1
    if excess > Receiver.tolerance {
      excess &-= accelerate(excess)
    } else if excess < 0 {
      excess &+= decelerate(0 &- excess)
    }
    trim(excess)
  }

  /// Lets the resampler follow the sender's clock, and take what is left of a delay's error over some seconds.
  @_noLocks
  private mutating func trim(_ excess: Int) {
    // 1 ms of error is 50 ppm; a voice may be 500 ppm, less than a hundredth of a semitone, off without anybody noticing.
    let wanted = Double(excess) / 48 * 50
    let trim = abs(excess) < 12 ? 0 : max(-500, min(500, wanted))
    resampler.setRate((delay.clock.ppm + trim) * 1e-6)
  }

  /// Plays less than there is. Returns: samples left out.
  @_noLocks
  private mutating func accelerate(_ excess: Int) -> Int {
    let isUrgent = excess > Receiver.urgent
    decodeAhead(excess)
    var removed = 0
    while isQuiet(ahead: true) {
      let lag = min(excess &- removed, min(playable &- Receiver.samplesPerFrame, samples.held &- Receiver.fade))
      if lag <= 0 { break }
      skip(lag)
      removed &+= lag
      if removed == excess { return removed }
      if !decodeAhead(excess &- removed) { break }
    }
    if removed > 0 || framesSinceSplice < (isUrgent ? 1 : Receiver.pause) { return removed }
    let longest = min(excess, min(playable &- Receiver.samplesPerFrame, samples.held &- LagSearch.half))
    if longest < LagSearch.minimumLag { return 0 }
    let match = lagSearch.later(samples, centre: 0, longest: longest)
    if match.similarity < (isUrgent ? 0.4 : 0.8) { return 0 }
    skip(match.lag)
    return match.lag
  }

  /// Plays more than there is. Returns: samples added.
  @_noLocks
  private mutating func decelerate(_ lack: Int) -> Int {
    if isQuiet(ahead: false) {
      let lag = min(lack, SampleBuffer.historyCount / 2)
      replay(lag)
      return lag
    }
    if lack < LagSearch.minimumLag / 2 { return 0 }
    let match = lagSearch.earlier(samples, centre: 0)
    if match.similarity < 0.5 && framesSinceSplice < Receiver.pause { return 0 }
    replay(match.lag)
    return match.lag
  }

  /// Decodes the next packet before its time, so that there is something to leave out. Returns: whether it was there.
  @_noLocks @discardableResult
  private mutating func decodeAhead(_ excess: Int) -> Bool {
    let wanted = Receiver.samplesPerFrame &+ min(excess, LagSearch.maximumLag) &+ LagSearch.half
    guard playable < wanted, stage.isPlaying, let slot = packets.packet(nextSequence),
      slot.pointee.timestamp == endTimestamp, samples.room > slot.pointee.sampleCount
    else { return false }
    decode(slot, skipping: 0)
    return true
  }

  @_noLocks
  private mutating func skip(_ lag: Int) {
    samples.skip(lag, fade: min(Receiver.fade, samples.held &- lag))
    var left = lag
    while left > 0, let segment = segments.take(upTo: left) { left &-= segment.count }
    counters.removedSamplesForAcceleration &+= lag
    framesSinceSplice = 0
  }

  @_noLocks
  private mutating func replay(_ lag: Int) {
    samples.replay(lag, fade: Receiver.fade)
    segments.growFront(by: lag)
    counters.insertedSamplesForDeceleration &+= lag
    framesSinceSplice = 0
  }

  /// Whether so little is heard around the next sample that nobody misses a part of it.
  @_noLocks
  private func isQuiet(ahead: Bool) -> Bool {
    ahead
      ? samples.peak(from: 0, count: min(samples.held, 1_440)) < Receiver.quietPeak
      : samples.peak(from: -480, count: 480 &+ Receiver.fade) < Receiver.quietPeak
  }

  /// Peaks below this are as good as silence: -50 dB.
  private static var quietPeak: Float { @_noLocks get { 0.003 } }
}
