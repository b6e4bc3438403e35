import Glibc

/// An estimate of how people would rate a voice connection, 1 (bad) to 4.4, from its loss and its delay.
///
/// The E-model: R = 93.2 - Id(delay) - Ie,eff(loss), converted into a mean opinion score. Id is Cole and Rosenbluth's
/// fit. Ie,eff = (95 - Ie) p / (p + Bpl) + Ie with Opus's values, Ie = 0 and Bpl = 8. With Bpl = 8 the model agrees
/// within 0.15 with wideband PESQ of Opus at 32 kbit/s in packets of 20 ms without FEC. PESQ is 2.86, 2.10 and 1.49 at
/// 5, 10 and 20 % random loss. p is the share of sound that had to be concealed: sound that FEC has recovered does not
/// count.
///
/// Source: ITU-T G.107 (2015) and its Annex B; Cole and Rosenbluth, "Voice over IP performance monitoring", 2001.
public enum MOSEstimate {
  private static let bestRating = 93.2
  private static let lossRobustness = 8.0
  private static let worstImpairment = 95.0
  /// One-way delay above which people begin to speak at the same time, in milliseconds.
  private static let annoyingDelayMilliseconds = 177.3

  /// Returns the score for a share of concealed sound, 0 to 1, and a delay from mouth to ear, in milliseconds.
  public static func score(concealed: Double, delayMilliseconds: Double) -> Double {
    let percent = 100 * min(1, max(0, concealed))
    let delay = max(0, delayMilliseconds)
    let delayImpairment = 0.024 * delay + 0.11 * max(0, delay - annoyingDelayMilliseconds)
    let lossImpairment = worstImpairment * percent / (percent + lossRobustness)
    return score(rating: bestRating - delayImpairment - lossImpairment)
  }

  /// Returns the score of a rating R. Source: G.107, Annex B.
  static func score(rating: Double) -> Double {
    if rating <= 0 { return 1 }
    if rating >= 100 { return 4.5 }
    return max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6)
  }
}
