/// How likely each candidate of a window is, against its being unvoiced.
///
/// A conditional logit: the odds of candidate k against "unvoiced" are exp(w · x_k), with x_k from the candidate's
/// peak, how it compares to the others, and the window's level. `swift run -c release PitchModelFit` finds the weights:
/// those that make the known pitches of synthetic voices likeliest.
///
/// Source: McFadden, "Conditional logit analysis of qualitative choice behavior", 1974.
package enum CandidateModel {
  /// What the window's level tells, the same for all its candidates.
  package struct Level: BitwiseCopyable {
    /// The window's middle, a quarter of it, against its loudest quarter, in dB / 10: -3 to 0.
    let middle: Float
    /// The middle against the recent peak, in dB / 10: -5 to 0.
    let relative: Float
    /// Share of the window's power that exceeds the noise floor, 0 to 1.
    let clean: Float

    @_noLocks
    init(middle: Float, relative: Float, clean: Float) {
      self.middle = middle
      self.relative = relative
      self.clean = clean
    }
  }

  /// Values that describe a candidate.
  package static var featureCount: Int { @_noLocks get { 20 } }

  /// Describes a candidate; `strongest` is the largest periodicity among the window's.
  ///
  /// Shape: `featureCount` values are written to `x`.
  @_noLocks
  static func describe(
    _ candidate: PitchCandidate, strongest: Float, _ level: Level, to x: UnsafeMutablePointer<Float>
  ) {
    let peak = candidate.periodicity
    let local = candidate.localPeriodicity
    let octave = candidate.octave
    let gap = strongest - peak
    // Noise lowers the peak of a periodic sound to the share that is not noise.
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
  }
}
