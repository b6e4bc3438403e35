/// The lengths of splices and grains, in samples.
///
/// Chosen by PESQ (ITU-T P.862.2) of recorded and synthetic voices after a round trip of shifts;
/// Tests/Comparisons/pitch-shift repeats that.
struct PitchShiftParameters: BitwiseCopyable {
  /// Delay from input to output, on average, in samples.
  let delay: Int
  /// Shortest and longest piece that a splice may repeat or leave out, in samples; of grains, a voice's period.
  private(set) var minimumLag: Int
  private(set) var maximumLag: Int
  /// Length of the sound that is compared around the two ends of a splice, or of two periods, in samples.
  private(set) var window: Int
  /// Largest part of the window that lies after the ends, in samples.
  private(set) var windowAhead: Int
  /// Penalty on the correlation at the longest lag: of several similar lags, a short one is to be taken.
  private(set) var lengthPenalty: Float
  /// Longest crossfade, in samples.
  let maximumFade: Int
  /// Samples between two checks for a due splice; the ratio is constant between them.
  let block: Int
  /// Decimation of the coarse search: it reads one sample of so many.
  let decimation: Int
  /// Taps of the interpolation at ratios up to 1, and its steps between two samples.
  let tapCount: Int
  let phaseCount: Int

  /// Lowest correlation of a voice's periods at which grains are made: at its beginning and from then on.
  let firstLikeness: Float = 0.6
  let leastLikeness: Float = 0.5

  init(_ mode: PitchShiftMode, sampleRate: Int, keepsFormants: Bool = false) {
    let milliseconds = Double(sampleRate) / 1_000
    func samples(_ duration: Double) -> Int { Int((duration * milliseconds).rounded()) }
    let coarseRate: Int
    switch mode {
    case .lowDelay:
      // 48 more samples, since the interpolation's length does not depend on the rate: 24.5 ms at 8 kHz.
      delay = samples(18.5) + 48
      minimumLag = samples(4)
      maximumLag = samples(20)
      window = samples(12)
      windowAhead = samples(9.6)
      maximumFade = samples(16)
      lengthPenalty = 0.3
      coarseRate = 8_000
      tapCount = 24
      phaseCount = 64
    case .quality:
      // Long jumps and windows: chords have common periods that are many times as long as a voice's.
      delay = samples(65) + 96
      minimumLag = samples(4)
      maximumLag = samples(40)
      window = samples(20)
      windowAhead = samples(16)
      maximumFade = samples(20)
      lengthPenalty = 0.5
      coarseRate = 12_000
      tapCount = 48
      phaseCount = 128
    }
    block = max(4, sampleRate / 3_000)
    decimation = max(1, sampleRate / coarseRate)
    if keepsFormants {
      // A voice's periods, whatever the delay.
      minimumLag = samples(2)
      maximumLag = samples(15)
      window = samples(14)
      windowAhead = samples(10)
      lengthPenalty = 0.35
    }
  }

  /// Samples of the past that a splice may read.
  var reach: Int { delay + 2 * maximumLag + maximumFade + window + 4 * tapCount + 8 * decimation }
}
