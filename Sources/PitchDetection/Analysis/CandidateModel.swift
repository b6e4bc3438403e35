/// Likelihood of each candidate of a window, against unvoiced.
///
/// A conditional logit: the odds of candidate k against "unvoiced" are exp(w · x_k). The features x_k describe the
/// candidate's peak, its relation to the other peaks, and the window's level. `swift run -c release PitchModelFit`
/// finds the weights that make the known pitches of synthetic voices likeliest.
///
/// Source: McFadden, "Conditional logit analysis of qualitative choice behavior", 1974.
package enum CandidateModel {
  /// Features of the window's level, the same for all its candidates.
  package struct Level: BitwiseCopyable {
    /// Level of the window's middle quarter against its loudest quarter, in dB / 10: -3 to 0.
    let middle: Float
    /// Level of the middle quarter against the recent peak, in dB / 10: -5 to 0.
    let relative: Float
    /// Share of the window's power above the noise floor, 0 to 1.
    let clean: Float

    @_noLocks
    init(middle: Float, relative: Float, clean: Float) {
      self.middle = middle
      self.relative = relative
      self.clean = clean
    }
  }

  /// Number of features of a candidate.
  package static var featureCount: Int { @_noLocks get { 24 } }

  /// Writes the features of a candidate to `x`.
  ///
  /// Shape: `featureCount` values.
  ///
  /// - Parameters:
  ///   - candidate: candidate to describe.
  ///   - strongest: largest periodicity among the window's candidates.
  ///   - level: features of the window's level.
  ///   - x: memory for the features.
  @_noLocks
  static func describe(
    _ candidate: PitchCandidate, strongest: Float, _ level: Level, to x: UnsafeMutablePointer<Float>
  ) {
    let peak = candidate.periodicity
    let local = candidate.localPeriodicity
    let octave = candidate.octave
    let gap = strongest - peak
    // Noise lowers the peak of a periodic sound to the share of power that is not noise.
    let raised = peak / (level.clean > 0.3 ? level.clean : 0.3)
    let expected = raised < 1 ? raised : 1
    x[0] = 1
    x[1] = peak
    x[2] = peak * peak
    x[3] = local
    x[4] = local * local.magnitude
    x[5] = gap
    x[6] = octave
    x[7] = octave * octave
    x[8] = level.middle
    x[9] = level.middle * level.middle
    x[10] = level.relative
    x[11] = level.relative * level.relative
    x[12] = expected
    x[13] = expected * expected
    x[14] = level.clean
    x[15] = level.clean * peak
    x[16] = gap * octave
    x[17] = peak * octave
    x[18] = local * octave
    x[19] = level.middle * octave
    // A voice's peak at its period is as high as those at the multiples, but for what is not periodic in the sound. An
    // overtone's peak falls short of the voice's by more.
    let aperiodic = 1.03 - strongest
    let ratio = gap / (aperiodic > 0.02 ? aperiodic : 0.02)
    let shortfall = ratio < 4 ? ratio : 4
    let high = octave > 1 ? octave - 1 : 0
    x[20] = high
    x[21] = shortfall * high
    x[22] = shortfall
    x[23] = shortfall * octave
  }
}
