/// How likely each candidate of a window is, against its being unvoiced.
///
/// A conditional logit: the odds of candidate k against "unvoiced" are exp(w · x_k), with x_k from the candidate's
/// peak, how it compares to the others, and the window's level. The weights maximise the likelihood of synthetic
/// voices with known pitch (clean, in noise, through a telephone band, clipped, in a room; the generator of the tests
/// with other voices and seeds than they use).
///
/// Source: McFadden, "Conditional logit analysis of qualitative choice behavior", 1974.
struct CandidateModel: BitwiseCopyable {
  /// What the window's level tells, the same for all its candidates.
  struct Level: BitwiseCopyable {
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

  /// log2 of the odds of a candidate; `strongest` is the largest periodicity among the window's candidates.
  @_noLocks @inline(__always)
  func evidence(_ candidate: PitchCandidate, strongest: Float, _ level: Level) -> Float {
    let peak = candidate.periodicity
    let local = candidate.localPeriodicity
    let octave = candidate.octave
    let gap = strongest - peak
    // Noise lowers the peak of a periodic sound to the share that is not noise.
    let raised = peak / (level.clean > 0.3 ? level.clean : 0.3)
    let expected = raised < 1 ? raised : 1
    var sum: Float = -6.368
    sum += peak * (2.461 + 5.736 * peak - 3.761 * level.clean + 2.579 * octave)
    sum += local * (-0.243 + 2.858 * local.magnitude + 0.476 * octave)
    sum += gap * (-9.505 - 2.482 * octave)
    sum += octave * (0.614 - 0.444 * octave)
    sum += level.middle * (-2.228 - 1.462 * level.middle + 3.166 * octave)
    sum += level.relative * (1.255 - 0.452 * level.relative)
    sum += expected * (1.591 + 4.077 * expected)
    sum += 4.700 * level.clean
    return sum * 1.442_695
  }
}
