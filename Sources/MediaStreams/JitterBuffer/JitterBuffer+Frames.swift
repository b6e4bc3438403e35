import AudioGraph

extension JitterBuffer {
  /// Moves a frame's worth of waiting samples into a frame.
  @_noLocks
  mutating func emit(_ output: Frame, now: Int) {
    let count = JitterBuffer.samplesPerFrame
    for channel in 0..<options.channelCount {
      resampler.process(samples.next(channel), into: output.channel(channel), count: count)
    }
    let consumed = resampler.consumption(count)
    resampler.advance(count)
    samples.consume(consumed)
    account(consumed, in: output, now: now)
    counters.insertedSamplesForDrift &+= max(0, count &- consumed)
    counters.removedSamplesForDrift &+= max(0, consumed &- count)
    counters.totalSamplesReceived &+= count
  }

  /// Renders a frame without a stream: silence, behind the rest of the last stream.
  @_noLocks
  mutating func renderNothing(_ output: Frame, now: Int) {
    if samples.held > 0 {
      resampler.setRate(0)
      appendIdle(max(0, JitterBuffer.samplesPerFrame &- playable))
      emit(output, now: now)
      // Only silence is left.
      counters.droppedSamples &+= samples.held
      samples.truncate(to: 0)
      segments.removeAll()
      return
    }
    output.silence()
    output.header.pointee.provenance = .silence
    output.header.pointee.rtpTimestamp = nil
    counters.totalSamplesReceived &+= JitterBuffer.samplesPerFrame
    counters.idleSamples &+= JitterBuffer.samplesPerFrame
  }

  /// Writes the origin of most of the frame's samples into its header, and their waits into the statistics.
  @_noLocks
  private mutating func account(_ count: Int, in output: Frame, now: Int) {
    var left = count
    var most = PlayoutSegment(count: 0, provenance: .silence)
    var isSilent = true
    let target = delay.targetDelay
    while left > 0, let segment = segments.take(upTo: left) {
      left &-= segment.count
      if segment.count > most.count { most = segment }
      if case .silence = segment.provenance { continue }
      isSilent = false
      if segment.timestamp == nil { continue }
      rendered.soundEnd = rendered.frameCount &* JitterBuffer.samplesPerFrame
      counters.jitterBufferDelay += Double(now &- segment.arrival) * 1e-9 * Double(segment.count)
      counters.jitterBufferTargetDelay += Double(target) * 1e-9 * Double(segment.count)
      counters.jitterBufferEmittedCount &+= segment.count
    }
    output.header.pointee.provenance = most.provenance
    output.header.pointee.rtpTimestamp = most.timestamp
    output.header.pointee.isSilent = isSilent
  }
}
