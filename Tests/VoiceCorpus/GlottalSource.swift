import Glibc

/// The derivative of the flow through vibrating vocal folds.
///
/// Each cycle opens and closes along Rosenberg's pulse C; the step with which the closure ends is band-limited by
/// a polynomial correction of its two samples, and a low-pass of first order stands for the return phase. Cycles
/// differ at random in length (jitter) and strength (shimmer).
///
/// Source: Rosenberg, "Effect of glottal pulse shape on the quality of natural vowels", 1971; Välimäki and
/// Huovilainen, "Antialiasing oscillators in subtractive synthesis", 2007 (the correction).
struct GlottalSource {
  /// Share of a cycle in which the folds open, and in which they close.
  private let opening: Double
  private let closing: Double
  private let jitter: Double
  private let shimmer: Double
  private let tilt: Double
  private var phase = 0.0
  private var stretch = 1.0
  private var strength = 1.0
  private var smoothed = 0.0

  /// - Parameters:
  ///   - openQuotient: share of a cycle in which there is flow.
  ///   - jitter: deviation of a cycle's length, as a share of it.
  ///   - shimmer: deviation of a cycle's strength, as a share of it.
  ///   - tiltHertz: corner of the low-pass.
  init(openQuotient: Double, jitter: Double, shimmer: Double, tiltHertz: Double, sampleRate: Double) {
    opening = openQuotient * 0.67
    closing = openQuotient * 0.33
    self.jitter = jitter
    self.shimmer = shimmer
    tilt = 1 - exp(-2 * Double.pi * tiltHertz / sampleRate)
  }

  /// One sample; `step` is the share of a cycle that passes with it.
  mutating func next(step: Double, _ random: inout CorpusRandom) -> Double {
    let advance = step * stretch
    phase += advance
    if phase >= 1 {
      phase -= 1
      stretch = 1 + jitter * random.noise()
      strength = 1 + shimmer * random.noise()
    }
    let closed = opening + closing
    var flow = 0.0
    if phase < opening {
      flow = sin(Double.pi * phase / opening) / opening
    } else if phase < closed {
      flow = -sin(Double.pi / 2 * (phase - opening) / closing) / closing
    }
    // The step at the closure, from -1 / closing to 0.
    let after = (phase - closed) / advance
    if after >= 0, after < 1 {
      flow -= (1 - after) * (1 - after) / 2 / closing
    } else if after < 0, after >= -1 {
      flow += (1 + after) * (1 + after) / 2 / closing
    }
    smoothed += tilt * (flow * strength * 0.15 - smoothed)
    return smoothed
  }
}
