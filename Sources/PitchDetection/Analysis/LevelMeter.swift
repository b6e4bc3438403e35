import DSP

/// Measures the level of a sound, its recent peak, and the level of the noise beneath it.
struct LevelMeter: BitwiseCopyable {
  /// Level of the quietest windows, in dB; rises by 3 dB a second.
  private var floor: Float = 0
  /// Level of the loudest middles, in dB; falls by 2 dB a second.
  private var peak: Float = -90
  private var isFirst = true

  /// Measures a window.
  ///
  /// - Parameters:
  ///   - window: mean power of the window.
  ///   - middle: mean power of its middle quarter.
  ///   - loudest: mean power of its loudest quarter.
  /// - Returns: features of the window's level.
  @_noLocks
  mutating func measure(window: Float, middle: Float, loudest: Float) -> CandidateModel.Level {
    let level = decibels(window)
    let center = decibels(middle)
    floor = isFirst ? level : least(level, floor + 0.03)
    isFirst = false
    peak = -least(-center, 0.02 - peak)
    let above = level - floor
    let beneath = -least(3, (decibels(loudest) - center) * 0.1)
    return CandidateModel.Level(
      middle: least(0, beneath), relative: -least(5, (peak - center) * 0.1),
      clean: 1 - fastExp2(-0.332_192_8 * least(30, above)))
  }

  mutating func reset() { self = LevelMeter() }

  @_noLocks
  private func least(_ first: Float, _ second: Float) -> Float { first < second ? first : second }

  /// Returns a power in dB, at least -120 dB.
  @_noLocks
  private func decibels(_ power: Float) -> Float { 3.010_3 * fastLog2(power + 1e-12) }
}
