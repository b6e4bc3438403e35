import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Power of steady noise in each bin: fans, hum, hiss.
///
/// The estimator averages power that is probably not speech. Such an average creeps up under long vowels, so it is kept
/// near the least power of the last seconds.
///
/// If somebody speaks without a pause, that least power may be the voice's own. Steady noise is audible whenever the
/// voice is weaker, so most bins are near it most of the time; a voice is seldom as weak as its weakest moment. A power
/// that the sound seldom reaches is therefore not certain noise: the less often, the less certain.
///
/// Source: Gerkmann and Hendriks, Unbiased MMSE-based noise power estimation with low complexity and low tracking delay
/// (2012); Martin, Noise power spectral density estimation based on optimal smoothing and minimum statistics (2001).
struct NoiseEstimator: ~Copyable {
  /// Power of the noise, certain or not.
  let power: SpectrumBuffer
  /// Power of the certain noise.
  let certain: SpectrumBuffer
  /// Mean of `power` over the bins.
  private(set) var mean: Float = 0
  /// Maximum of `power` over the bins.
  private(set) var strongest: Float = 0
  /// Windows so far.
  private(set) var seen = 0
  private let probability: SpectrumBuffer
  private let smooth: SpectrumBuffer
  /// Share of the windows of the last seconds in which the sound was near the noise, before division by
  /// `presenceWeight`.
  private let presence: SpectrumBuffer
  private var presenceWeight: Float = 0
  /// Mean presence over the bins of speech in the previous window; bins beyond them may be empty.
  private var meanPresence: Float = 0
  private let speechBand: BinBand
  /// Least power of the present span, then of the earlier ones; `pastMinima` is the least of these.
  private let minima: SpectrumBuffer
  private let pastMinima: SpectrumBuffer
  private let blockCount: Int
  private let stretchCount = 12
  private let stretchHops: Int
  private var hop = 0
  private var stretch = 1
  private var bias: Float = 1
  private let fullBias: Float
  private let powerKeep: Float
  private let probabilityKeep: Float
  private let smoothKeep: Float
  /// Smoothing in the lowest bins under rumble, which has so few Hz that it comes and goes. Without rumble they are as
  /// quick as the others, to catch the pause that a consonant makes in a voice's lowest tones.
  private let lowSmoothKeep: Float
  private let presenceKeep: Float
  private let beyond: Float = 1e30

  init(_ tuning: VoiceOnlyTuning) {
    let count = tuning.binCount + 8
    blockCount = count / 8
    speechBand = tuning.band(200, 4_000)
    power = SpectrumBuffer(count, value: 1e-9)
    probability = SpectrumBuffer(count, value: 0.5)
    smooth = SpectrumBuffer(count, value: 1e-9)
    certain = SpectrumBuffer(count, value: 1e-13)
    presence = SpectrumBuffer(count)
    minima = SpectrumBuffer(count, rows: stretchCount + 1, value: beyond)
    pastMinima = SpectrumBuffer(count, value: beyond)
    stretchHops = tuning.hops(0.3)
    // Zeros behind a window make neighboring bins more alike, and their minimum lower.
    fullBias = 0.8 + 0.9 * (Float(tuning.length) / Float(tuning.window) - 1)
    func keep(_ seconds: Double) -> Float { Float(exp(-tuning.hopSeconds / seconds)) }
    powerKeep = keep(0.07)
    probabilityKeep = keep(0.15)
    smoothKeep = keep(0.012)
    lowSmoothKeep = keep(0.05)
    presenceKeep = keep(1.5)
  }

  @_noLocks
  mutating func reset() {
    (hop, stretch, seen) = (0, 1, 0)
    minima.fill(beyond)
    pastMinima.fill(beyond)
    probability.fill(0.5)
    presence.fill(0)
    certain.fill(1e-13)
    (presenceWeight, meanPresence, mean, strongest) = (0, 0, 0, 0)
  }

  /// Estimates the noise from a window without its keystrokes.
  ///
  /// - Parameters:
  ///   - bins: power in each bin.
  ///   - smoothBins: power in each bin and its neighbors.
  ///   - rumble: 0...1, how sure it is that there is rumble, whose minimum is far below its mean.
  @_noLocks
  mutating func update(
    _ bins: UnsafeMutablePointer<Float>, _ smoothBins: UnsafeMutablePointer<Float>, rumble: Float
  ) {
    hop = hop &+ 1
    let turns = hop == stretchHops
    // The minimum of many values is below their mean, that of a few hardly.
    bias = 1 + fullBias * min(1, Float(seen) / Float(4 &* stretchHops))
    presenceWeight = presenceKeep * presenceWeight + 1 - presenceKeep
    var total = SIMD8<Float>(repeating: 0)
    var greatest = SIMD8<Float>(repeating: 0)
    for block in 0..<blockCount {
      let index = 8 &* block
      let noise = estimate(index, bins, smoothBins, rumble: rumble, turns: turns)
      judge(index, noise)
      if block < blockCount &- 1 {
        total += noise
        greatest = larger(greatest, noise)
      }
    }
    strongest = greatest.max()
    mean = total.total / Float(8 &* (blockCount &- 1))
    var present = SIMD8<Float>(repeating: 0)
    for block in 0..<speechBand.blockCount { present += presence.pointer.eight(speechBand.first &+ 8 &* block) }
    meanPresence = present.total / (speechBand.count * presenceWeight)
    seen = min(seen &+ 1, Int.max / 2)
    if turns {
      hop = 0
      stretch = stretch == stretchCount ? 1 : stretch &+ 1
    }
  }

  /// Lowers the noise in a window of a held voice: it cannot be more than the weakest moment of that voice.
  @_noLocks
  func lower(_ smoothBins: UnsafeMutablePointer<Float>) {
    guard seen > 0 else { return }
    for block in 0..<blockCount {
      let index = 8 &* block
      let level = smoothKeep * smooth.pointer.eight(index) + (1 - smoothKeep) * smoothBins.eight(index)
      smooth.pointer.setEight(index, level)
      let least = lesser(minima.row(0).eight(index), level)
      minima.row(0).setEight(index, least)
      let most = 1.6 * bias * least
      power.pointer.setEight(index, lesser(power.pointer.eight(index), larger(most, SIMD8(repeating: 1e-13))))
      certain.pointer.setEight(index, lesser(certain.pointer.eight(index), larger(most, SIMD8(repeating: 1e-13))))
    }
  }

  /// Counts how often a bin is near its noise, within 6 dB, and fills `certain`.
  @_noLocks @inline(__always)
  private func judge(_ index: Int, _ noise: SIMD8<Float>) {
    let near = SIMD8<Float>(repeating: 0).replacing(with: 1, where: smooth.pointer.eight(index) .< 4 * noise)
    let kept = presenceKeep * presence.pointer.eight(index) + (1 - presenceKeep) * near
    presence.pointer.setEight(index, kept)
    let share = kept / presenceWeight
    // Half of all bins, or one bin nearly always, is noise without doubt; doubtful noise counts up to 30 dB less.
    let all = SIMD8(repeating: (meanPresence - 0.3) * 5)
    let doubt = 1 - lesser(larger(larger(all, (share - 0.75) * 5), SIMD8(repeating: 0)), SIMD8(repeating: 1))
    certain.pointer.setEight(index, larger(noise * fastExp2(-10 * doubt), SIMD8(repeating: 1e-13)))
  }

  /// Power by which speech is likely to stand out: 15 dB.
  private let standing: Float = 31.6

  @_noLocks @inline(__always)
  private func estimate(
    _ index: Int, _ bins: UnsafeMutablePointer<Float>, _ smoothBins: UnsafeMutablePointer<Float>, rumble: Float,
    turns: Bool
  ) -> SIMD8<Float> {
    let now = bins.eight(index)
    let isFirst = seen == 0
    var level = smoothBins.eight(index)
    let isLowest = index == 0
    let smoothKeep = isLowest ? smoothKeep + rumble * (lowSmoothKeep - smoothKeep) : smoothKeep
    if !isFirst { level = smoothKeep * smooth.pointer.eight(index) + (1 - smoothKeep) * level }
    smooth.pointer.setEight(index, level)
    var least = lesser(minima.row(0).eight(index), level)
    minima.row(0).setEight(index, turns ? level : least)
    if turns {
      minima.row(stretch).setEight(index, least)
      var past = least
      for row in 1...stretchCount { past = lesser(past, minima.row(row).eight(index)) }
      pastMinima.pointer.setEight(index, past)
    }
    least = lesser(least, pastMinima.pointer.eight(index)) * bias
    var noise = isFirst ? level : power.pointer.eight(index)
    let ratio = lesser(now / noise, SIMD8(repeating: 200))
    let share = standing / (1 + standing)
    var speech = 1 / (1 + (1 + standing) * fastExp2(-1.442_695 * share * ratio))
    let kept = probabilityKeep * probability.pointer.eight(index) + (1 - probabilityKeep) * speech
    probability.pointer.setEight(index, kept)
    // Long certainty of speech means that the noise has risen.
    let limited = lesser(speech, SIMD8(repeating: 0.99))
    speech.replace(with: limited, where: kept .> 0.99)
    noise = powerKeep * noise + (1 - powerKeep) * (speech * noise + (1 - speech) * now)
    noise = larger(noise, 0.7 * least)
    noise = lesser(noise, (isLowest ? 1.6 + 4 * rumble : 1.6) * least)
    noise = larger(noise, SIMD8(repeating: 1e-13))
    power.pointer.setEight(index, noise)
    return noise
  }
}
