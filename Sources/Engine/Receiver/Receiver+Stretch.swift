import AudioGraph

extension Receiver {
  /// A splice is faded over so many samples: 5 ms.
  private static var fade: Int { @_noLocks get { 240 } }
  /// Peaks below this are as good as silence: -50 dB.
  private static var quietPeak: Float { @_noLocks get { 0.003 } }

  /// Brings the delay nearer to what it should be.
  @_noLocks
  mutating func adapt(now: Int) {
    if stage.isSilent { return }
    let due = playoutTransit(at: now)
    let phase = Receiver.phase(due)
    let played = due &+ Receiver.nanoseconds(playable)
    let current = phase &+ (played &- phase) / 10_000_000 &* 10_000_000
    let target = delay.target(phase: phase, current: current, now: now)
    delay.setTarget(target)
    let excess = delay.clock.samples(in: played &- target)
    if excess > 0 { accelerate(excess, now: now) } else if excess < 0 { decelerate(0 &- excess) }
  }

  @_noLocks
  private mutating func accelerate(_ excess: Int, now: Int) {
    if playable < Receiver.samplesPerFrame &+ excess, let slot = packets.packet(nextSequence),
      slot.pointee.timestamp == endTimestamp, samples.room > slot.pointee.sampleCount
    {
      decode(slot, skipping: 0)
    }
    let lag = min(excess, playable &- Receiver.samplesPerFrame)
    if lag <= 0 || samples.peak(from: 0, count: lag &+ Receiver.fade) > Receiver.quietPeak { return }
    samples.skip(lag, fade: Receiver.fade)
    var left = lag
    while left > 0, let segment = segments.take(upTo: left) { left &-= segment.count }
    counters.removedSamplesForAcceleration &+= lag
  }

  @_noLocks
  private mutating func decelerate(_ lack: Int) {
    let lag = min(lack, SampleBuffer.historyCount)
    if samples.peak(from: 0 &- lag, count: lag &+ Receiver.fade) > Receiver.quietPeak { return }
    samples.replay(lag, fade: Receiver.fade)
    segments.growFront(by: lag)
    counters.insertedSamplesForDeceleration &+= lag
  }
}
