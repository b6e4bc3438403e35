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
  /// The same the other way round: the products of Levinson's recursion then lie side by side.
  private let mirrored: UnsafeMutablePointer<Double>
  private let taps: UnsafeMutablePointer<Double>
  /// Filters that `filters` makes at once, and their taps.
  static let filterCount = 4
  private let lanes: UnsafeMutablePointer<SIMD4<Double>>
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
    mirrored = .allocate(capacity: order + 1)
    mirrored.initialize(repeating: 0, count: order + 1)
    lanes = .allocate(capacity: order + 1)
    lanes.initialize(repeating: .zero, count: order + 1)
    taps = .allocate(capacity: order + 1)
    taps.initialize(repeating: 0, count: order + 1)
  }

  deinit {
    window.deallocate()
    windowed.deallocate()
    lagWindow.deallocate()
    correlation.deallocate()
    mirrored.deallocate()
    taps.deallocate()
    lanes.deallocate()
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
    for lag in 0...order {
      correlation[lag] *= lagWindow[lag]
      mirrored[order &- lag] = correlation[lag]
    }
    for index in 0..<order { reflections[index] = 0 }
    var error = correlation[0]
    guard error > 1e-12, error < .infinity else { return }
    taps[0] = 1
    // Tap 0 is 1, so that the first product is the correlation at the step itself.
    for step in 1...order {
      let reflection = -Self.product(taps, mirrored + (order &- step), count: step) / error
      guard reflection.magnitude < 0.99999 else { return }
      reflections[step &- 1] = reflection
      Self.stepUp(taps, by: reflection, order: step)
      error *= 1 - reflection * reflection
    }
  }

  /// Writes the filters 1 + a1/z + ... of reflection coefficients a quarter, a half, three quarters and all of the way from some to
  /// others: `order` taps each, that of the oldest sample first.
  ///
  /// All four are made side by side, one in each lane.
  @_noLocks
  func filters(
    from reflections: UnsafePointer<Double>, to others: UnsafePointer<Double>, _ result: UnsafeMutablePointer<Double>
  ) {
    let share = SIMD4<Double>(0.25, 0.5, 0.75, 1)
    for index in 0..<order {
      Self.stepUp(lanes, by: reflections[index] + (others[index] - reflections[index]) * share, order: index &+ 1)
    }
    for index in 0..<order {
      let taps = lanes[order &- index]
      for part in 0..<Self.filterCount { result[part &* order &+ index] = taps[part] }
    }
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

  /// The same for four filters.
  @_noLocks
  private static func stepUp(_ taps: UnsafeMutablePointer<SIMD4<Double>>, by reflection: SIMD4<Double>, order: Int) {
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

  /// The sum of products.
  @_noLocks
  private static func product(_ one: UnsafePointer<Double>, _ other: UnsafePointer<Double>, count: Int) -> Double {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var sums = SIMD8<Double>(repeating: 0)
    for block in 0..<(count / 8) {
      sums +=
        a.loadUnaligned(fromByteOffset: 64 &* block, as: SIMD8<Double>.self)
        * b.loadUnaligned(fromByteOffset: 64 &* block, as: SIMD8<Double>.self)
    }
    let four = sums.lowHalf + sums.highHalf
    var sum = (four[0] + four[1]) + (four[2] + four[3])
    for index in (count / 8 &* 8)..<count { sum += one[index] * other[index] }
    return sum
  }
}
