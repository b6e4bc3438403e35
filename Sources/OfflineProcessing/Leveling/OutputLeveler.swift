import AudioFiles
import AudioGraph
import Effects

/// Brings the output of a job to its loudness target.
///
///     job ▶ spool, measured (pass 1) ▶ gain ▶ limiter ▶ measured (trials) ▶ output (last pass)
///
/// The job itself runs once: its programs, decoders and observers see the sound once. The sound is measured at the
/// output's rate and, from the second pass on, rounded as the output rounds it. A gain that needs no limiting follows
/// from the first measurement; a limiter's effect is found by trials. A lossy output is then encoded and decoded in
/// trials of its own.
///
/// Thread: one at a time.
final class OutputLeveler {
  /// Passes at most, with the first and the last, without those of a lossy output.
  static let mostPasses = 8
  /// DC offset that is worth removing, of full scale.
  private static let leastOffset: Float = 0.01
  /// Loudness in LUFS below which the absolute gate, at -70 LUFS, may make a gain count for more or less than it is.
  private static let lowestExact = -59.0
  /// Distance from the target at which a trial is good enough, in LU.
  private static let closeEnough = 0.05
  /// Distance from the ceiling at which a slightly different gain cannot exceed it, in dB.
  private static let certainDistance = 0.2
  /// Distance from the ceiling for rounding, in dB.
  private static let margin = 0.02

  /// Writer of the first pass.
  let spooling: SpoolingWriter
  private let target: LoudnessTarget
  private let writer: any AudioFileWriter
  /// Encodes and decodes the sound; nil for an output that keeps its samples.
  private let encoding: EncodedTrial?
  private let makeMeasurement: () throws(EngineError) -> LevelMeasurement
  /// Makes the rounding of the output, for one pass; nil for an output that keeps Float32.
  private let makeRounding: () -> SampleRounding?
  private var original = LevelMeasurement.Levels()
  private var pass = LevelingPass(gain: 0, ceiling: nil)
  private var passCount = 1
  /// Ceiling of the limiter, which trials lower if it proves too high.
  private var ceiling: Double
  private var removedOffset: Float = 0
  private var isExhausted = false
  /// Levels of the decoded output; nil before a trial has measured them.
  private var decoded: LevelMeasurement.Levels?

  /// Creates a leveler.
  ///
  /// - Parameters:
  ///   - target: target of the job, in range.
  ///   - writer: writer of the output.
  ///   - speakers: loudspeakers of the channels, bit by bit; 0 for the usual ones.
  ///   - encoding: encodes and decodes the sound; nil for an output that keeps its samples.
  ///   - makeRounding: makes the rounding of the output, for one pass; returns nil for an output that keeps Float32.
  init(
    _ target: LoudnessTarget, _ writer: any AudioFileWriter, speakers: UInt32, encoding: EncodedTrial?,
    makeRounding: @escaping () -> SampleRounding?
  ) throws(EngineError) {
    self.target = target
    self.writer = writer
    self.encoding = encoding
    self.makeRounding = makeRounding
    let format = writer.format
    makeMeasurement = { () throws(EngineError) in try LevelMeasurement(format, speakers: speakers) }
    ceiling = target.truePeak
    spooling = SpoolingWriter(writer, try makeMeasurement())
  }

  /// Finds the gain and the limiter's ceiling, once the job has run.
  ///
  /// - Parameters:
  ///   - allowsTrials: whether passes may be spent on trials.
  ///   - shouldStop: called every 10 ms of audio; true ends the trials.
  ///   - progress: called with the share of the passes that are left, 0 to 1.
  /// - Returns: whether the trials were stopped.
  /// - Throws: `AudioFileError` of the temporary file, `EngineError` of a measurement.
  func search(allowsTrials: Bool, shouldStop: () -> Bool, progress: (Double) -> Void) throws -> Bool {
    original = try spooling.levels()
    if allowsTrials, try removeOffset(shouldStop, progress) { return true }
    if try searchGain(allowsTrials: allowsTrials, shouldStop, progress) { return true }
    return allowsTrials ? try searchEncoded(shouldStop) : false
  }

  /// Removes a DC offset if peaks would exceed the ceiling: it counts for them, and not for the loudness.
  ///
  /// - Returns: whether the measurement was stopped.
  private func removeOffset(_ shouldStop: () -> Bool, _ progress: (Double) -> Void) throws -> Bool {
    guard let wanted = target.integrated, let loudness = original.integrated, let peak = original.truePeak,
      peak + wanted - loudness > ceiling - Self.margin
    else { return false }
    let offset = spooling.spool.removeOffsets(true)
    guard offset >= Self.leastOffset else {
      spooling.spool.removeOffsets(false)
      return false
    }
    guard let levels = try runTrial([LevelingPass(gain: 0, ceiling: nil)], shouldStop, progress)?.first else {
      return true
    }
    if levels.truePeak ?? -.infinity < peak {
      (original, removedOffset) = (levels, offset)
    } else {
      spooling.spool.removeOffsets(false)
    }
    return false
  }

  /// Finds the gain and the ceiling for the sound as it is before a codec.
  private func searchGain(
    allowsTrials: Bool, _ shouldStop: () -> Bool, _ progress: (Double) -> Void
  ) throws -> Bool {
    let headroom = ceiling - Self.margin - (original.truePeak ?? -.infinity)
    var search = original.integrated.flatMap { integrated in
      target.integrated.flatMap { target in
        abs(target - integrated) <= LoudnessTarget.tolerance && (original.truePeak ?? -.infinity) <= ceiling
          ? nil
          : GainSearch(
            target: target, loudness: integrated, headroom: headroom,
            knee: LimiterNode.threshold(below: Decibels(ceiling)).value - (original.truePeak ?? -.infinity))
      }
    }
    pass = makePass(gain: search?.gain ?? 0)
    guard allowsTrials, needsTrial else { return false }
    while passCount < Self.mostPasses - 1 {
      let passes = search?.candidates.map { makePass(gain: $0) } ?? [pass]
      guard let trials = try runTrial(passes, shouldStop, progress) else { return true }
      let excess = (trials.compactMap(\.truePeak).max() ?? -.infinity) - target.truePeak
      if excess > 0 { ceiling -= excess + Self.margin }
      let loudnesses = trials.compactMap(\.integrated)
      guard let wanted = target.integrated, search != nil, loudnesses.count == trials.count else {
        if excess <= 0 { break }
        pass = makePass(gain: pass.gain)
        continue
      }
      search!.add(loudnesses)
      let isClose = loudnesses.contains { abs($0 - wanted) <= Self.closeEnough }
      isExhausted = search!.isExhausted
      pass = makePass(gain: isClose || isExhausted ? search!.nearestGain : search!.gain)
      if isClose || isExhausted, excess <= 0 { break }
      if search!.isCertain, excess <= -Self.certainDistance { break }
    }
    return false
  }

  /// Corrects the gain and the ceiling by the levels of the decoded sound, if the output is lossy.
  ///
  /// - Returns: whether the trials were stopped.
  private func searchEncoded(_ shouldStop: () -> Bool) throws -> Bool {
    guard let encoding else { return false }
    let peak = original.truePeak ?? -.infinity
    var search = EncodedSearch(target, gain: pass.gain, ceiling: ceiling, peak: peak)
    var continues = true
    while continues {
      ceiling = search.ceiling
      passCount += 1
      guard
        let levels = try encoding.levels(of: makePass(gain: search.gain), over: spooling.spool, shouldStop: shouldStop)
      else { return true }
      // No gain helps: only the peaks count.
      let isBest = isExhausted && levels.truePeak ?? -.infinity <= target.truePeak
      continues = search.add(levels) && !isBest
    }
    if let best = search.best {
      (ceiling, decoded) = (best.ceiling, best.levels)
      pass = makePass(gain: best.gain)
    }
    return false
  }

  /// Writes the output; its file is still open then.
  ///
  /// - Parameter progress: called with the share of the passes that are left, 0 to 1.
  /// - Returns: result of the job's target.
  /// - Throws: `AudioFileError` of the output or the temporary file, `EngineError` of a measurement.
  func write(progress: (Double) -> Void) throws -> LoudnessTargetResult {
    passCount += 1
    let measurement = try makeMeasurement()
    let rounding = makeRounding()
    let limiterGains = try LevelingPass.run([pass], over: spooling.spool) { _, base, stride, count in
      try writer.write(base, stride: stride, count: count)
      rounding?.round(base, stride: stride, count: count)
      try measurement.add(base, stride: stride, count: count)
      progress(share(of: writer.samplesPerChannel, pass: Self.mostPasses))
      return true
    }
    let levels = decoded ?? measurement.finish()
    return LoudnessTargetResult(
      target: target, gain: Decibels(pass.gain), limiterGain: limiterGains[0], passes: passCount,
      removedOffset: removedOffset, possibleObstacle: isExhausted ? .limiter : decoded != nil ? .codec : .passes,
      integrated: levels.integrated, truePeak: levels.truePeak)
  }

  /// Whether the result of the pass is not known from the first measurement.
  private var needsTrial: Bool {
    if pass.ceiling != nil { return true }
    guard pass.gain != 0, let loudness = original.integrated else { return false }
    return writer.sampleFormat == .uint8 || min(loudness, loudness + pass.gain) < Self.lowestExact
  }

  private func makePass(gain: Double) -> LevelingPass {
    let peak = (original.truePeak ?? -.infinity) + gain
    let isLimited = peak > (gain == 0 ? ceiling : ceiling - Self.margin)
    return LevelingPass(gain: gain, ceiling: isLimited ? ceiling : nil)
  }

  /// Measures the sound with several settings, in one pass.
  ///
  /// - Returns: its levels with each; nil if the pass was stopped.
  private func runTrial(
    _ passes: [LevelingPass], _ shouldStop: () -> Bool, _ progress: (Double) -> Void
  ) throws -> [LevelMeasurement.Levels]? {
    passCount += 1
    let measurements = try passes.map { _ in try makeMeasurement() }
    let roundings = passes.map { _ in makeRounding() }
    var position = 0
    var isStopped = false
    _ = try LevelingPass.run(passes, over: spooling.spool) { index, base, stride, count in
      roundings[index]?.round(base, stride: stride, count: count)
      try measurements[index].add(base, stride: stride, count: count)
      guard index == 0 else { return true }
      isStopped = shouldStop()
      position += count
      progress(share(of: position, pass: passCount))
      return !isStopped
    }
    return isStopped ? nil : measurements.map { $0.finish() }
  }

  /// Returns the share of all passes behind the first that are done; the last one has the rest to itself.
  private func share(of position: Int, pass index: Int) -> Double {
    let done = Double(position) / Double(max(1, spooling.samplesPerChannel))
    guard passCount > 2 || index < Self.mostPasses else { return done }
    return (Double(index - 2) + done) / Double(Self.mostPasses - 1)
  }
}
