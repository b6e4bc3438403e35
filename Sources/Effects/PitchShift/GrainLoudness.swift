import DSP

/// Computes the gain of grains at which their sum is as loud as the voice that they were cut from.
///
/// Overlapping grains add up or cancel each other, depending on the voice: an octave up, all harmonics of odd number
/// vanish. The power of a train of grains is the sum of a grain's autocorrelation at whole numbers of their distance,
/// divided by that distance. Measured on the decimated signal: parts of a voice above 3.6 kHz do not determine its
/// loudness.
struct GrainLoudness: ~Copyable {
  /// Limits of the gain. Beyond them, it would raise nearly vanished sound or lower bursts. For grains that stand
  /// alone, as at a lowered pitch, their peaks would rise with it.
  private static var most: Float { @_noLocks get { 2.8 } }
  private static var mostAlone: Float { @_noLocks get { 1.5 } }
  private static var least: Float { @_noLocks get { 0.35 } }

  private let memory: SpectrumBuffer

  /// Creates the memory.
  ///
  /// - Parameter longest: Longest period, in decimated samples.
  init(longest: Int) { memory = SpectrumBuffer(2 * longest + 16) }

  /// Returns the gain for grains around the decimated sample `centre`; nil if they reach beyond the known samples.
  ///
  /// - Parameters:
  ///   - history: Samples of the past.
  ///   - centre: Middle of the grains, in decimated samples.
  ///   - period: Period of the voice and half the width of a grain, in decimated samples.
  ///   - distance: Distance from one grain to the next, in decimated samples.
  ///   - last: Position behind the last decimated sample.
  @_noLocks
  func gain(_ history: borrowing SampleHistory, centre: Int, period: Double, distance: Double, last: Int) -> Float? {
    let half = max(2, Int(period + 0.5))
    let count = 2 &* half &- 1
    guard centre &- half >= 0, centre &+ half <= last, count <= memory.stride else { return nil }
    let grain = memory.pointer
    var before: Float = 0
    var after: Float = 0
    for channel in 0..<history.channelCount {
      let samples = history.thinPlane(channel) + (centre &- half &+ 1)
      for index in 0..<count {
        let weight = Grain.weight(Float(abs(index &- half &+ 1)) / Float(half))
        grain[index] = weight * samples[index]
        before += weight * samples[index] * samples[index]
      }
      var copies = 0
      var shift = 0
      while shift < count {
        let product = Correlation.product(grain, grain + shift, count: count &- shift)
        after += copies == 0 ? product : 2 * product
        copies = copies &+ 1
        shift = Int(Double(copies) * distance + 0.5)
      }
    }
    guard before > 1e-12 else { return nil }
    let square = before * Float(distance / period) / max(after, 1e-3 * before)
    return max(Self.least, min(distance > period ? Self.mostAlone : Self.most, fastExp2(0.5 * fastLog2(square))))
  }
}
