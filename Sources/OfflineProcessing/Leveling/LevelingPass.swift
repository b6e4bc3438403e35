import AudioFiles
import AudioGraph
import Effects

/// One pass over the kept sound of a job: a gain and, if peaks would exceed the ceiling, a limiter.
struct LevelingPass {
  /// Gain, in dB.
  let gain: Double
  /// Ceiling of the limiter, in dBTP; nil without one.
  let ceiling: Double?

  /// Runs through the sound.
  ///
  /// - Parameters:
  ///   - spool: sound of the job.
  ///   - take: called with the samples, in parts of 10 ms at most: planes that begin `stride` samples apart, which it
  ///     may change, and their count. False ends the pass.
  /// - Returns: smallest gain of the limiter.
  /// - Throws: `AudioFileError` of the spool, and the errors of `take`.
  func run(
    _ spool: SoundSpool, _ take: (_ base: UnsafeMutablePointer<Float>, _ stride: Int, _ count: Int) throws -> Bool
  ) throws -> Decibels {
    let limiter = LimitedGain(spool.format, gain: Decibels(gain), ceiling: ceiling.map { Decibels($0) })
    let memory = FrameMemory(count: 1, format: spool.format)
    let end = spool.samplesPerChannel + limiter.latency
    for position in stride(from: 0, to: end, by: spool.frameLength) {
      try spool.read(at: position, into: memory[0])
      limiter.process(memory[0])
      let first = min(spool.frameLength, max(0, limiter.latency - position))
      let count = min(spool.frameLength, end - position) - first
      if count <= 0 { continue }
      guard try take(memory[0].channel(0) + first, memory[0].planeStride, count) else { break }
    }
    return limiter.smallestGain
  }
}
