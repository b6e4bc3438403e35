import AudioFiles
import AudioGraph
import Effects

/// Settings of a pass over the kept sound of a job: a gain and, if peaks would exceed the ceiling, a limiter.
struct LevelingPass {
  /// Gain, in dB.
  let gain: Double
  /// Ceiling of the limiter, in dBTP; nil without one.
  let ceiling: Double?

  /// Runs through the sound, once for all of several settings.
  ///
  /// - Parameters:
  ///   - passes: the settings.
  ///   - spool: sound of the job.
  ///   - take: called with the index of a setting and its samples, in parts of 10 ms at most: planes `stride` samples
  ///     apart, which it may change, and their count. False ends the run.
  /// - Returns: smallest gain of each limiter.
  /// - Throws: `AudioFileError` of the spool, and the errors of `take`.
  static func run(
    _ passes: [LevelingPass], over spool: SoundSpool,
    _ take: (_ index: Int, _ base: UnsafeMutablePointer<Float>, _ stride: Int, _ count: Int) throws -> Bool
  ) throws -> [Decibels] {
    let limiters = passes.map {
      LimitedGain(spool.format, gain: Decibels($0.gain), ceiling: $0.ceiling.map { Decibels($0) })
    }
    // The sound, and a copy for each setting.
    let memory = FrameMemory(count: passes.count + 1, format: spool.format)
    let latency = limiters[0].latency
    let end = spool.samplesPerChannel + latency
    for position in stride(from: 0, to: end, by: spool.frameLength) {
      try spool.read(at: position, into: memory[0])
      let first = min(spool.frameLength, max(0, latency - position))
      let count = min(spool.frameLength, end - position) - first
      var continues = true
      for (index, limiter) in limiters.enumerated() {
        let frame = memory[index + 1]
        frame.copy(from: memory[0])
        limiter.process(frame)
        if count > 0, !(try take(index, frame.channel(0) + first, frame.planeStride, count)) { continues = false }
      }
      if !continues { break }
    }
    return limiters.map(\.smallestGain)
  }
}
