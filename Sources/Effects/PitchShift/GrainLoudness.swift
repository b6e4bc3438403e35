import DSP

/// How much louder grains are to be so that their sum is as loud as the voice that they were cut from.
///
/// Where they overlap they add up or cancel each other, as the voice has it: an octave up all harmonics of odd number
/// vanish. The power of a train of grains is the sum of a grain's autocorrelation at whole numbers of their distance,
/// divided by that distance. Measured on the thinned signal: what is louder than 3.6 kHz in a voice is not what
/// loudness is of.
struct GrainLoudness: ~Copyable {
  /// Beyond this it would raise what has nearly vanished, or lower what bursts; and where grains stand alone, as where
  /// the pitch is lowered, their peaks would rise with it.
  private static var most: Float { @_noLocks get { 2.8 } }
  private static var mostAlone: Float { @_noLocks get { 1.5 } }
  private static var least: Float { @_noLocks get { 0.35 } }

  private let memory: SpectrumBuffer

  /// - Parameter longest: the longest period, in thin samples.
  init(longest: Int) { memory = SpectrumBuffer(2 * longest + 16) }

  /// The gain for grains around the thin sample `centre`; nil where they reach beyond what is known.
  ///
  /// - Parameters:
  ///   - period: of the voice, in thin samples, and half the width of a grain.
  ///   - distance: from one grain to the next, in thin samples.
  ///   - last: behind the last thin sample.
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
