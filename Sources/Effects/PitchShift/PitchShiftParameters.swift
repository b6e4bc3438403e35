/// The lengths that splices and grains are made with, in samples.
///
/// Chosen by PESQ (ITU-T P.862.2) of recorded and synthetic voices that were shifted there and back;
/// Tests/Comparisons/pitch-shift repeats that.
struct PitchShiftParameters: BitwiseCopyable {
  /// From input to output, on the average.
  let delay: Int
  /// The shortest and the longest piece that a splice may repeat or leave out; of grains, a voice's period.
  private(set) var minimumLag: Int
  private(set) var maximumLag: Int
  /// How much sound around the two ends of a splice is compared, or of two periods.
  private(set) var window: Int
  /// The most of that which lies after the ends.
  private(set) var windowAhead: Int
  /// What the longest lag costs in likeness: of several that are alike a short one is to be taken.
  private(set) var lengthPenalty: Float
  /// The longest crossfade.
  let maximumFade: Int
  /// Samples after which is looked again whether a splice is due, and between which the ratio stands.
  let block: Int
  /// Of the coarse search: one sample of so many is looked at.
  let decimation: Int
  /// Taps of the interpolation at ratios up to 1, and its steps between two samples.
  let tapCount: Int
  let phaseCount: Int

  /// How alike the periods of a voice are at least, to make grains of them: at its beginning and from then on.
  let firstLikeness: Float = 0.6
  let leastLikeness: Float = 0.5

  init(_ mode: PitchShiftMode, sampleRate: Int, keepsFormants: Bool = false) {
    let milliseconds = Double(sampleRate) / 1_000
    func samples(_ duration: Double) -> Int { Int((duration * milliseconds).rounded()) }
    let coarseRate: Int
    switch mode {
    case .lowDelay:
      // 48 samples besides, since the interpolation's length does not depend on the rate: 24.5 ms at 8 kHz.
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

  /// Samples of the past that a splice may look back at.
  var reach: Int { delay + 2 * maximumLag + maximumFade + window + 4 * tapCount + 8 * decimation }
}
