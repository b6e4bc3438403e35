import AudioGraph

#if canImport(Glibc)
  import Glibc
#endif

/// Finds how each sample of a sound follows from those before it: the envelope of its spectrum, without its pitch.
///
/// Source: Markel and Gray, Linear Prediction of Speech (1976): autocorrelation method, Levinson's recursion.
struct LinearPredictor: ~Copyable {
  /// Samples that one is predicted from: a resonance per kHz, and two for the slope.
  let order: Int
  /// Samples that are looked at: 30 ms.
  let windowLength: Int
  private let window: UnsafeMutablePointer<Float>
  private let windowed: UnsafeMutablePointer<Float>
  private let lagWindow: UnsafeMutablePointer<Double>
  private let correlation: UnsafeMutablePointer<Double>
  private let taps: UnsafeMutablePointer<Double>
  /// Of the energy, as noise that is thought to be there: limits how deep a spectrum may be, to 40 dB.
  private let noiseShare = 1e-4
  /// Makes the highs stronger by 6 dB an octave above 200 Hz before the envelope is drawn: it need not describe the slope
  /// that every voice has, and rumble does not count.
  private let emphasis: Float

  init(sampleRate: Int) {
    // Above 60 kHz the envelope is drawn more coarsely: nothing that a voice needs lies there.
    let order = min(max(sampleRate / 1_000 + 4, 12), 64)
    self.order = order
    emphasis = Float(exp(-2 * Double.pi * 200 / Double(sampleRate)))
    let length = sampleRate * 3 / 100
    windowLength = length
    window = .allocate(capacity: length)
    windowed = .allocate(capacity: length + 4)
    windowed.initialize(repeating: 0, count: length + 4)
    // A slow rise and a fast fall: the newest samples count most.
    let rise = length * 4 / 5
    for index in 0..<length {
      let isRising = index < rise
      let place = isRising ? Double(index + 1) / Double(rise + 1) : Double(length - index) / Double(length - rise + 1)
      (window + index).initialize(to: Float(0.5 - 0.5 * cos(Double.pi * place)))
    }
    lagWindow = .allocate(capacity: order + 1)
    for lag in 0...order {
      // Resonances are at least 60 Hz wide, so that no harmonic is taken for one.
      let angle = 2 * Double.pi * 120 * Double(lag) / Double(sampleRate)
      (lagWindow + lag).initialize(to: exp(-0.5 * angle * angle))
    }
    lagWindow[0] = 1 + noiseShare
    correlation = .allocate(capacity: order + 1)
    correlation.initialize(repeating: 0, count: order + 1)
    taps = .allocate(capacity: order + 1)
    taps.initialize(repeating: 0, count: order + 1)
  }

  deinit {
    window.deallocate()
    windowed.deallocate()
    lagWindow.deallocate()
    correlation.deallocate()
    taps.deallocate()
  }

  /// Writes the reflection coefficients, each of a magnitude below 1, of the sound that ends before `end`.
  @_noLocks
  func analyse(
    _ history: borrowing SpliceHistory, end: Int, reflections: UnsafeMutablePointer<Double>
  ) {
    for lag in 0...order { correlation[lag] = 0 }
    for channel in 0..<history.channelCount {
      let samples = history.plane(channel) + (end &- windowLength)
      for index in 0..<windowLength {
        windowed[index] = (samples[index] - emphasis * samples[index &- 1]) * window[index]
      }
      var lag = 0
      while lag <= order {
        // What lies behind the window is zeros.
        let products = LagSearch.products(windowed, windowed + lag, count: windowLength &- lag)
        for place in 0..<4 where lag &+ place <= order { correlation[lag &+ place] += Double(products[place]) }
        lag = lag &+ 4
      }
    }
    for lag in 0...order { correlation[lag] *= lagWindow[lag] }
    for index in 0..<order { reflections[index] = 0 }
    var error = correlation[0]
    guard error > 1e-12, error < .infinity else { return }
    taps[0] = 1
    for step in 1...order {
      var sum = correlation[step]
      for index in 1..<max(step, 1) { sum += taps[index] * correlation[step &- index] }
      let reflection = -sum / error
      guard reflection.magnitude < 0.99999 else { return }
      reflections[step &- 1] = reflection
      Self.stepUp(taps, by: reflection, order: step)
      error *= 1 - reflection * reflection
    }
  }

  /// Writes the filter 1 + a1/z + ... of reflection coefficients: `order` taps, that of the oldest sample first.
  @_noLocks
  func filter(_ reflections: UnsafePointer<Double>, _ result: UnsafeMutablePointer<Double>) {
    for index in 0..<order { Self.stepUp(taps, by: reflections[index], order: index &+ 1) }
    for index in 0..<order { result[index] = taps[order &- index] }
  }

  /// The filter of one more coefficient, in place: a tap and its mirror image become each other's.
  @_noLocks
  private static func stepUp(_ taps: UnsafeMutablePointer<Double>, by reflection: Double, order: Int) {
    var (low, high) = (1, order &- 1)
    while low < high {
      let (one, other) = (taps[low], taps[high])
      taps[low] = one + reflection * other
      taps[high] = other + reflection * one
      low = low &+ 1
      high = high &- 1
    }
    if low == high { taps[low] += reflection * taps[low] }
    taps[order] = reflection
  }
}
