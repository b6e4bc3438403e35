import DSP

/// Finds the pitches that a window of sound may have.
///
/// The normalized difference (or square difference) function is n(t) = 2 r(t) / m(t). Here r is the sum of products of
/// the window with itself t later, and m the sum of both spans' squares. The function is 1 at the period of a periodic
/// sound. Its highest peaks are the candidates, with a slight penalty for longer periods. A parabola through three
/// points gives a peak's position between the samples. Peaks at the shortest shifts are only a few samples
/// wide, so that the function is interpolated to half samples there.
///
/// A sound above the range has peaks at the multiples of its period, and some of them lie within the range. None of
/// those is higher than the peak at the period itself; a voice's harmonic does not reach the height of the voice's
/// peak. A peak that is not higher than the one at the shorter period is therefore not a candidate.
///
/// Source: de Cheveigné and Kawahara, "YIN", 2002 (the difference function); McLeod and Wyvill, "A smarter way to find
/// pitch", 2005 (its normalization); Boersma, "Accurate short-term analysis of the fundamental frequency", 1993
/// (several candidates, and the cost of an octave).
struct CandidatePicker: ~Copyable {
  /// Largest number of candidates of a window.
  static var capacity: Int { @_noLocks get { 6 } }
  /// Range of pitches, in Hz.
  static var lowest: Float { @_noLocks get { 60 } }
  static var highest: Float { @_noLocks get { 1_100 } }

  /// Shape: `capacity` candidates, the best peaks first; `count` of them are valid.
  let candidates: UnsafeMutablePointer<PitchCandidate>
  private(set) var count = 0
  private let windowLength: Int
  private let sampleRate: Float
  private let shortestShift: Int
  /// Smallest shift of the function: a few samples, since peaks have no shape below.
  private let firstShift: Int
  private let longestShift: Int
  /// Shift below which a peak is a few samples wide.
  private static var shortEnd: Int { @_noLocks get { 24 } }
  private let shortestStretch: Int
  private let transform: AutocorrelationTransform
  /// Sums of the squares of the first samples; `function` holds its values by shift, `shorts` by half samples up to
  /// `shortEnd`, `merits` those of the candidates.
  private let squares: UnsafeMutablePointer<Float>
  private let function: UnsafeMutablePointer<Float>
  private let shorts: UnsafeMutablePointer<Float>
  private let merits: UnsafeMutablePointer<Float>

  init(windowLength: Int, sampleRate: Double) {
    self.windowLength = windowLength
    self.sampleRate = Float(sampleRate)
    shortestShift = Int(sampleRate / Double(Self.highest))
    firstShift = max(4, Int(sampleRate / 2_400))
    longestShift = Int((sampleRate / Double(Self.lowest)).rounded(.up))
    shortestStretch = Int((sampleRate * 0.005).rounded())
    transform = AutocorrelationTransform(minimumLength: windowLength + longestShift + 2)
    candidates = .allocate(capacity: Self.capacity)
    candidates.initialize(repeating: PitchCandidate(hertz: 0, octave: 0, periodicity: 0), count: Self.capacity)
    squares = .allocate(capacity: windowLength + 1)
    squares.initialize(repeating: 0, count: windowLength + 1)
    function = .allocate(capacity: longestShift + 2)
    function.initialize(repeating: 0, count: longestShift + 2)
    shorts = .allocate(capacity: 2 * Self.shortEnd + 1)
    shorts.initialize(repeating: 0, count: 2 * Self.shortEnd + 1)
    merits = .allocate(capacity: Self.capacity)
    merits.initialize(repeating: 0, count: Self.capacity)
  }

  deinit {
    candidates.deallocate()
    squares.deallocate()
    function.deallocate()
    shorts.deallocate()
    merits.deallocate()
  }

  /// Removes all candidates.
  @_noLocks
  mutating func clear() { count = 0 }

  /// Finds the candidates of `windowLength` samples.
  @_noLocks
  mutating func pick(_ window: UnsafePointer<Float>) {
    differ(window)
    count = 0
    var first = Self.shortEnd
    for half in (2 &* shortestShift)..<(2 &* Self.shortEnd) {
      let peak = peak(shorts, half)
      guard peak.height > 0 else { continue }
      insert(height: peak.height, shift: 0.5 * peak.place)
      // The samples may show the same peak at the next shift.
      if half == 2 &* Self.shortEnd &- 1 { first = first &+ 1 }
    }
    for shift in first...longestShift {
      let peak = peak(function, shift)
      if peak.height > 0 { insert(height: peak.height, shift: peak.place) }
    }
    leaveOutMultiples()
    for index in 0..<count {
      let shift = sampleRate / candidates[index].hertz
      candidates[index].localPeriodicity = localPeriodicity(window, shift: shift)
    }
  }

  /// Computes `function`.
  @_noLocks
  private func differ(_ window: UnsafePointer<Float>) {
    let samples = transform.samples
    var sum: Float = 0
    for index in 0..<windowLength { sum += window[index] }
    let mean = sum / Float(windowLength)
    var total: Float = 0
    for index in 0..<windowLength {
      let value = window[index] - mean
      samples[index] = value
      total += value * value
      squares[index &+ 1] = total
    }
    for index in windowLength..<transform.length { samples[index] = 0 }
    transform.run()
    let scale = 2 / Float(transform.length)
    for shift in 0...(longestShift &+ 1) {
      let both = squares[windowLength &- shift] + total - squares[shift]
      function[shift] = scale * samples[shift] / (both + 1e-12)
    }
    for shift in (firstShift &- 1)..<Self.shortEnd {
      shorts[2 &* shift] = function[shift]
      shorts[2 &* shift &+ 1] = middle(after: shift)
    }
    shorts[2 &* Self.shortEnd] = function[Self.shortEnd]
  }

  /// Returns the function, which is even, half a sample after a shift.
  ///
  /// Source: Parks and McClellan, "Chebyshev approximation for nonrecursive digital filters with linear phase", 1972.
  /// Twelve taps, with an error of 0.23 % at the most up to the low-pass's 2.9 kHz at 8 kHz.
  @_noLocks
  private func middle(after shift: Int) -> Float {
    let sides = (
      function[shift] + function[shift &+ 1], function[shift &- 1] + function[shift &+ 2],
      function[shift &- 2] + function[shift &+ 3], function[Int((shift &- 3).magnitude)] + function[shift &+ 4],
      function[Int((shift &- 4).magnitude)] + function[shift &+ 5],
      function[Int((shift &- 5).magnitude)] + function[shift &+ 6]
    )
    return 0.626_933 * sides.0 - 0.184_563 * sides.1 + 0.085_593 * sides.2 - 0.040_452 * sides.3 + 0.016_984 * sides.4
      - 0.005_644 * sides.5
  }

  /// Returns the peak between a value of the function and its neighbors; its height is 0 if there is none.
  @_noLocks
  private func peak(_ values: UnsafeMutablePointer<Float>, _ index: Int) -> (height: Float, place: Float) {
    let (before, here, after) = (values[index &- 1], values[index], values[index &+ 1])
    guard here > 0.1, here > before, here >= after else { return (0, 0) }
    let top = top(before, here, after)
    return (top.height, Float(index) + top.offset)
  }

  /// Returns the top of the parabola through three equidistant values, of which the middle one is the largest.
  @_noLocks @inline(__always)
  private func top(_ before: Float, _ here: Float, _ after: Float) -> (height: Float, offset: Float) {
    let offset = 0.5 * (before - after) / (before - 2 * here + after)
    return (here - 0.25 * (before - after) * offset, offset)
  }

  /// Returns the normalized correlation of two spans in the window's middle; for short periods, between the samples.
  @_noLocks
  private func localPeriodicity(_ window: UnsafePointer<Float>, shift: Float) -> Float {
    let nearest = Int(shift + 0.5)
    let here = correlation(window, shift: nearest)
    guard nearest < Self.shortEnd else { return here }
    let (before, after) = (correlation(window, shift: nearest &- 1), correlation(window, shift: nearest &+ 1))
    return here > before && here >= after ? top(before, here, after).height : here
  }

  /// Drops the candidates that a sound above the range has at multiples of its period.
  @_noLocks
  private mutating func leaveOutMultiples() {
    var period: (height: Float, shift: Float) = (0, 0)
    for half in (2 &* firstShift)..<(2 &* shortestShift) {
      let peak = peak(shorts, half)
      if peak.height > period.height { period = (peak.height, 0.5 * peak.place) }
    }
    guard period.height > 0.7 else { return }
    // The added terms allow for the parabola's error at a peak that is a few samples wide, and has overtones.
    let square = period.shift * period.shift
    let reached = period.height + 0.003 + 60 / (square * square)
    var kept = 0
    for index in 0..<count {
      let multiple = sampleRate / candidates[index].hertz / period.shift
      let distance = multiple - Float(Int(multiple + 0.5))
      if multiple > 1.5, distance.magnitude < 0.1, candidates[index].periodicity <= reached { continue }
      candidates[kept] = candidates[index]
      merits[kept] = merits[index]
      kept = kept &+ 1
    }
    count = kept
  }

  /// Keeps a peak if it is among the best.
  @_noLocks
  private mutating func insert(height: Float, shift: Float) {
    let octave = fastLog2(sampleRate / (shift * 200))
    let merit = (height < 2 - height ? height : 2 - height) + 0.04 * octave
    if count == Self.capacity, merit <= merits[count &- 1] { return }
    var place = count == Self.capacity ? count &- 1 : count
    while place > 0, merits[place &- 1] < merit {
      merits[place] = merits[place &- 1]
      candidates[place] = candidates[place &- 1]
      place = place &- 1
    }
    merits[place] = merit
    candidates[place] = PitchCandidate(hertz: sampleRate / shift, octave: octave, periodicity: height)
    if count < Self.capacity { count = count &+ 1 }
  }

  /// Returns the normalized correlation of two spans that meet in the window's middle, a period long, 5 ms at least.
  ///
  /// The window's ends, before a voice began or after it ended, do not count.
  @_noLocks
  private func correlation(_ window: UnsafePointer<Float>, shift: Int) -> Float {
    let length = shift > shortestStretch ? shift : shortestStretch
    let start = UnsafeRawPointer(window + (windowLength / 2 &- (length &+ shift) / 2))
    var products = SIMD4<Float>(repeating: 0)
    var powers = products
    let end = 4 &* (length & ~3)
    var byte = 0
    while byte < end {
      let early = start.loadUnaligned(fromByteOffset: byte, as: SIMD4<Float>.self)
      let late = start.loadUnaligned(fromByteOffset: byte &+ 4 &* shift, as: SIMD4<Float>.self)
      products += early * late
      powers += early * early + late * late
      byte = byte &+ 16
    }
    var product = products[0] + products[1] + (products[2] + products[3])
    var power = powers[0] + powers[1] + (powers[2] + powers[3])
    while byte < 4 &* length {
      let early = start.loadUnaligned(fromByteOffset: byte, as: Float.self)
      let late = start.loadUnaligned(fromByteOffset: byte &+ 4 &* shift, as: Float.self)
      product += early * late
      power += early * early + late * late
      byte = byte &+ 4
    }
    return 2 * product / (power + 1e-9)
  }
}
