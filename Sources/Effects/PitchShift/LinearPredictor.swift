import AudioGraph

#if canImport(Glibc)
  import Glibc
#endif

/// Finds how each sample of a sound follows from those before it: the envelope of its spectrum, without its pitch.
///
/// Source: Markel and Gray, Linear Prediction of Speech (1976): autocorrelation method; Le Roux and Gueguen, A fixed
/// point computation of partial correlation coefficients (1977), whose products lie side by side and need not be
/// summed.
struct LinearPredictor: ~Copyable {
  /// Samples that one is predicted from: a resonance per kHz, and two for the slope.
  let order: Int
  /// Samples that are looked at: 30 ms.
  let windowLength: Int
  private let window: UnsafeMutablePointer<Float>
  private let windowed: UnsafeMutablePointer<Float>
  /// The same as integers of a power of two that leaves their energy just below 2^30: what is rounded away is 63 dB
  /// below it, far below the noise that is thought to be there, and eight products are made at once.
  private let integers: UnsafeMutablePointer<Int16>
  private let lagWindow: UnsafeMutablePointer<Double>
  /// The correlation, and of the steps of the recursion the forward errors by lag and the backward errors by how far
  /// behind the step.
  private let correlation: UnsafeMutablePointer<Double>
  private let backward: UnsafeMutablePointer<Double>
  /// Filters that `filters` makes at once, and their taps.
  static let filterCount = 4
  private let lanes: UnsafeMutablePointer<SIMD4<Double>>
  /// Of the energy, as noise that is thought to be there: limits how deep a spectrum may be, to 20 dB. With 40 dB a
  /// voice of little bandwidth, as of a telephone, screeched: bands in which there is nothing rang with what the others
  /// owe.
  private let noiseShare = 1e-2
  /// Makes the highs stronger by 6 dB an octave above 200 Hz before the envelope is drawn: it need not describe the
  /// slope that every voice has, and rumble does not count.
  private let emphasis: Float

  init(sampleRate: Int) {
    // Above 60 kHz the envelope is drawn more coarsely: nothing that a voice needs lies there.
    let order = min(max(sampleRate / 1_000 + 4, 12), 64)
    self.order = order
    emphasis = Float(exp(-2 * Double.pi * 200 / Double(sampleRate)))
    let length = sampleRate * 3 / 100
    windowLength = length
    window = .allocate(capacity: length)
    windowed = .allocate(capacity: length + 8)
    windowed.initialize(repeating: 0, count: length + 8)
    integers = .allocate(capacity: length + order + 40)
    integers.initialize(repeating: 0, count: length + order + 40)
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
    correlation = .allocate(capacity: order + 8)
    correlation.initialize(repeating: 0, count: order + 8)
    backward = .allocate(capacity: order + 8)
    backward.initialize(repeating: 0, count: order + 8)
    lanes = .allocate(capacity: order + 1)
    lanes.initialize(repeating: .zero, count: order + 1)
  }

  deinit {
    window.deallocate()
    windowed.deallocate()
    integers.deallocate()
    lagWindow.deallocate()
    correlation.deallocate()
    backward.deallocate()
    lanes.deallocate()
  }

  /// Writes the reflection coefficients, each of a magnitude below 1, of the sound that ends before `end`.
  ///
  /// Returns: its energy.
  @_noLocks
  func analyse(
    _ history: borrowing SpliceHistory, end: Int, reflections: UnsafeMutablePointer<Double>
  ) -> Double {
    for lag in 0...order { correlation[lag] = 0 }
    for channel in 0..<history.channelCount { correlate(history.plane(channel) + (end &- windowLength)) }
    for index in 0..<order { reflections[index] = 0 }
    for lag in 0...order {
      correlation[lag] *= lagWindow[lag]
      backward[lag] = correlation[lag]
    }
    // Behind the last lag stands what no step needs.
    for lag in (order &+ 1)..<(order &+ 8) { (correlation[lag], backward[lag]) = (0, 0) }
    let energy = correlation[0]
    guard energy > 1e-12, energy < .infinity else { return 0 }
    for step in 1...order {
      let reflection = -correlation[step] / backward[0]
      guard reflection.magnitude < 0.99999 else { return energy }
      reflections[step &- 1] = reflection
      let (forward, back) = (UnsafeMutableRawPointer(correlation + step), UnsafeMutableRawPointer(backward))
      for block in 0..<((order &- step) / 4 &+ 1) {
        let one = forward.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD4<Double>.self)
        let other = back.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD4<Double>.self)
        forward.storeBytes(of: one + reflection * other, toByteOffset: 32 &* block, as: SIMD4<Double>.self)
        back.storeBytes(of: other + reflection * one, toByteOffset: 32 &* block, as: SIMD4<Double>.self)
      }
    }
    return energy
  }

  /// Adds to the correlation what `windowLength` samples give.
  @_noLocks
  private func correlate(_ samples: UnsafePointer<Float>) {
    for index in 0..<windowLength {
      windowed[index] = (samples[index] - emphasis * samples[index &- 1]) * window[index]
    }
    let energy = LagSearch.product(windowed, windowed, count: windowLength)
    guard energy > 1e-30, energy < .infinity else { return }
    let power = (29 &- (Int(energy.bitPattern &>> 23) &- 127)) &>> 1
    let scale = Float(bitPattern: UInt32(truncatingIfNeeded: power &+ 127) &<< 23)
    let (source, target) = (UnsafeRawPointer(windowed), UnsafeMutableRawPointer(integers))
    for block in 0..<((windowLength &+ 7) / 8) {
      // Adding 1.5 x 2^23 rounds to an integer in the low bits.
      let shifted = source.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self) * scale + 12_582_912
      let values = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- 0x4B40_0000
      target.storeBytes(of: SIMD8<Int16>(truncatingIfNeeded: values), toByteOffset: 16 &* block, as: SIMD8<Int16>.self)
    }
    let unit = 1 / (Double(scale) * Double(scale))
    for first in 0..<min(8, order &+ 1) {
      var lag = first
      while lag <= order {
        // What lies behind the window is zeros.
        let products = Self.products(integers, integers + lag, count: windowLength &- lag)
        for place in 0..<4 where lag &+ 8 &* place <= order {
          correlation[lag &+ 8 &* place] += Double(products[place]) * unit
        }
        lag = lag &+ 32
      }
    }
  }

  /// Writes the filters 1 + a1/z + ... of reflection coefficients a quarter, a half, three quarters and all of the way
  /// from some to others: `order` taps each, that of the oldest sample first. Where the sound becomes louder, each
  /// counts by the energy that it was drawn from.
  ///
  /// All four are made side by side, one in each lane.
  @_noLocks
  func filters(
    from reflections: UnsafePointer<Double>, energy old: Double, to others: UnsafePointer<Double>, energy new: Double,
    _ result: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let old = min(old, new) + 1e-30
    let share = SIMD4(new / (new + 3 * old), new / (new + old), 3 * new / (3 * new + old), 1)
    for index in 0..<order {
      stepUp(by: reflections[index] + (others[index] - reflections[index]) * share, order: index &+ 1)
    }
    for index in 0..<order {
      let taps = SIMD4<Float>(lanes[order &- index])
      for part in 0..<Self.filterCount { result[part &* stride &+ index] = taps[part] }
    }
  }

  /// The filters of one more coefficient each, in place: a tap and its mirror image become each other's.
  @_noLocks @inline(__always)
  private func stepUp(by reflection: SIMD4<Double>, order: Int) {
    var (low, high) = (1, order &- 1)
    while low < high {
      let (one, other) = (lanes[low], lanes[high])
      lanes[low] = one + reflection * other
      lanes[high] = other + reflection * one
      low = low &+ 1
      high = high &- 1
    }
    if low == high { lanes[low] += reflection * lanes[low] }
    lanes[order] = reflection
  }

  /// The products of `one` with `other` and with what begins 8, 16 and 24 samples behind it, which have loads of their
  /// own. Shape: there are zeros behind `other`.
  @_noLocks
  private static func products(_ one: UnsafePointer<Int16>, _ other: UnsafePointer<Int16>, count: Int) -> SIMD4<Int32> {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var (first, second) = (SIMD8<Int32>(repeating: 0), SIMD8<Int32>(repeating: 0))
    var (third, fourth) = (SIMD8<Int32>(repeating: 0), SIMD8<Int32>(repeating: 0))
    for block in 0..<((count &+ 7) / 8) {
      let offset = 16 &* block
      let samples = wide(a, offset)
      first &+= samples &* wide(b, offset)
      second &+= samples &* wide(b, offset &+ 16)
      third &+= samples &* wide(b, offset &+ 32)
      fourth &+= samples &* wide(b, offset &+ 48)
    }
    return SIMD4(first.wrappedSum(), second.wrappedSum(), third.wrappedSum(), fourth.wrappedSum())
  }

  @_noLocks @inline(__always)
  private static func wide(_ samples: UnsafeRawPointer, _ offset: Int) -> SIMD8<Int32> {
    SIMD8(truncatingIfNeeded: samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int16>.self))
  }
}
