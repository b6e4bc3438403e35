/// Finds the gain and the ceiling with which a lossy file has the wanted levels once it is decoded.
///
/// A codec changes the loudness by tenths of a LU, and the true peak by up to some dB, differently for each gain. So
/// both are corrected by the error of the trial before, a few times, and the best trial counts.
struct EncodedSearch {
  /// Trials at most.
  static let mostTrials = 6
  /// Distance from the target at which a trial is good enough, in LU.
  private static let closeEnough = 0.05
  /// Distance from the ceiling that a correction aims at, in dB.
  private static let margin = 0.05
  /// Lowest ceiling below the target's, in dB: a codec that adds more cannot be helped.
  private static let deepest = 12.0

  /// A trial and its result.
  struct Trial {
    var gain: Double
    /// Ceiling of the limiter, in dBTP.
    var ceiling: Double
    var levels: LevelMeasurement.Levels
  }

  /// Gain of the next trial, in dB.
  private(set) var gain: Double
  /// Ceiling of the next trial, in dBTP.
  private(set) var ceiling: Double
  private let target: LoudnessTarget
  /// Largest true peak of the sound before the gain, in dBTP.
  private let peak: Double
  private var trials: [Trial] = []

  /// Creates a search that begins with the gain and the ceiling of the sound before it is encoded.
  init(_ target: LoudnessTarget, gain: Double, ceiling: Double, peak: Double) {
    self.target = target
    self.gain = gain
    self.ceiling = ceiling
    self.peak = peak
  }

  /// Best trial: the nearest in loudness of those below the ceiling, otherwise the one with the lowest peak.
  var best: Trial? {
    let allowed = trials.filter { excess($0) <= 0 }
    return allowed.min { abs(error($0)) < abs(error($1)) } ?? trials.min { excess($0) < excess($1) }
  }

  /// Takes the levels of a trial with `gain` and `ceiling`.
  ///
  /// - Returns: Whether another trial is of use.
  mutating func add(_ levels: LevelMeasurement.Levels) -> Bool {
    let trial = Trial(gain: gain, ceiling: ceiling, levels: levels)
    let previous = trials.last
    trials.append(trial)
    let (error, excess) = (error(trial), excess(trial))
    if excess <= 0, abs(error) <= Self.closeEnough { return false }
    if excess > 0 {
      // A limiter above the peak does nothing: the correction counts from where it would act.
      ceiling = max(min(ceiling, peak + gain) - excess - Self.margin, target.truePeak - Self.deepest)
    }
    gain += error / slope(trial, previous)
    return trials.count < Self.mostTrials
  }

  /// Difference to the wanted loudness, in LU; 0 without one.
  private func error(_ trial: Trial) -> Double {
    guard let wanted = target.integrated, let loudness = trial.levels.integrated else { return 0 }
    return wanted - loudness
  }

  /// Amount by which the peak exceeds its limit, in dB; not above 0 if it does not.
  private func excess(_ trial: Trial) -> Double { (trial.levels.truePeak ?? -.infinity) - target.truePeak }

  /// Loudness in LU for a dB of gain: 1 without a limiter, with one by the previous trial.
  private func slope(_ trial: Trial, _ previous: Trial?) -> Double {
    guard peak + trial.gain > trial.ceiling else { return 1 }
    guard let previous, previous.ceiling == trial.ceiling, abs(trial.gain - previous.gain) > 0.02,
      let now = trial.levels.integrated, let before = previous.levels.integrated
    else { return 0.8 }
    return min(max((now - before) / (trial.gain - previous.gain), 0.3), 1.2)
  }
}
