#if canImport(Glibc)
  import Glibc
#endif

/// Power of the noise that stays, in each bin: fans, hum, hiss.
///
/// What is probably not speech is averaged; and since that creeps up under long vowels, the average is kept near the least
/// power of the last seconds.
///
/// Source: Gerkmann and Hendriks, Unbiased MMSE-based noise power estimation with low complexity and low tracking
/// delay (2012); Martin, Noise power spectral density estimation based on optimal smoothing and minimum statistics (2001).
struct StationaryNoise: ~Copyable {
  /// Power of the noise.
  let power: BinMemory
  /// The mean of the bins.
  private(set) var mean: Float = 0
  /// Windows that have been looked at.
  private(set) var seen = 0
  private let probability: BinMemory
  private let smooth: BinMemory
  /// The least of the present stretch, then those of the ones before.
  private let minima: BinMemory
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
  private let beyond: Float = 1e30

  init(_ tuning: VoiceOnlyTuning) {
    let count = tuning.binCount + 8
    blockCount = count / 8
    power = BinMemory(count, value: 1e-9)
    probability = BinMemory(count, value: 0.5)
    smooth = BinMemory(count, value: 1e-9)
    minima = BinMemory(count, rows: stretchCount + 1, value: beyond)
    stretchHops = tuning.hops(0.3)
    // Zeros behind a window make neighbouring bins more alike, and the least of them lower.
    fullBias = 0.8 + 0.9 * (Float(tuning.length) / Float(tuning.window) - 1)
    func keep(_ seconds: Double) -> Float { Float(exp(-tuning.hopSeconds / seconds)) }
    powerKeep = keep(0.07)
    probabilityKeep = keep(0.15)
    smoothKeep = keep(0.012)
  }

  @_noLocks
  mutating func reset() {
    (hop, stretch, seen) = (0, 1, 0)
    minima.fill(beyond)
    probability.fill(0.5)
  }

  /// Looks at a window from which keystrokes have been taken.
  @_noLocks
  mutating func update(_ bins: UnsafeMutablePointer<Float>, _ smoothBins: UnsafeMutablePointer<Float>) {
    hop = hop &+ 1
    let turns = hop == stretchHops
    // The least of many lies below the mean, that of a few hardly.
    bias = 1 + fullBias * min(1, Float(seen) / Float(4 &* stretchHops))
    var total = SIMD8<Float>(repeating: 0)
    for block in 0..<blockCount {
      let sum = estimate(8 &* block, bins, smoothBins, turns: turns)
      if block < blockCount &- 1 { total += sum }
    }
    mean = total.total / Float(8 &* (blockCount &- 1))
    seen = min(seen &+ 1, Int.max / 2)
    if turns {
      hop = 0
      stretch = stretch == stretchCount ? 1 : stretch &+ 1
    }
  }

  /// How likely speech would have to stand out, as a power: 15 dB.
  private let standing: Float = 31.6

  @_noLocks @inline(__always)
  private func estimate(
    _ index: Int, _ bins: UnsafeMutablePointer<Float>, _ smoothBins: UnsafeMutablePointer<Float>, turns: Bool
  ) -> SIMD8<Float> {
    let now = bins.eight(index)
    let isFirst = seen == 0
    var level = smoothBins.eight(index)
    if !isFirst { level = smoothKeep * smooth.pointer.eight(index) + (1 - smoothKeep) * level }
    smooth.pointer.setEight(index, level)
    var least = lesser(minima.row(0).eight(index), level)
    minima.row(0).setEight(index, turns ? level : least)
    if turns { minima.row(stretch).setEight(index, least) }
    for row in 1...stretchCount { least = lesser(least, minima.row(row).eight(index)) }
    least *= bias
    var noise = isFirst ? level : power.pointer.eight(index)
    let ratio = lesser(now / noise, SIMD8(repeating: 200))
    let share = standing / (1 + standing)
    var speech = 1 / (1 + (1 + standing) * fastExp2(-1.442_695 * share * ratio))
    let kept = probabilityKeep * probability.pointer.eight(index) + (1 - probabilityKeep) * speech
    probability.pointer.setEight(index, kept)
    // Certain for long means that the noise has risen.
    let limited = lesser(speech, SIMD8(repeating: 0.99))
    speech.replace(with: limited, where: kept .> 0.99)
    noise = powerKeep * noise + (1 - powerKeep) * (speech * noise + (1 - speech) * now)
    noise = larger(noise, 0.7 * least)
    noise = lesser(noise, 1.6 * least)
    noise = larger(noise, SIMD8(repeating: 1e-13))
    power.pointer.setEight(index, noise)
    return noise
  }
}
