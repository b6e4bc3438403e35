import DSP

/// Finds the pitches that a window of sound may have.
///
/// The normalized difference (or square difference) function is n(t) = 2 r(t) / m(t). Here r is the sum of products of
/// the window with itself t later, and m the sum of both spans' squares. The function is 1 at the period of a periodic
/// sound. Its highest peaks are the candidates, with a slight penalty for longer periods. A parabola through three
/// points gives a peak's position between the samples.
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
  static var highest: Float { @_noLocks get { 620 } }

  /// Shape: `capacity` candidates, the best peaks first; `count` of them are valid.
  let candidates: UnsafeMutablePointer<PitchCandidate>
  private(set) var count = 0
  private let windowLength: Int
  private let sampleRate: Float
  private let shortestShift: Int
  /// Smallest shift of the function: a few samples, since peaks have no shape below.
  private let firstShift: Int
  private let longestShift: Int
  private let shortestStretch: Int
  private let transform: AutocorrelationTransform
  /// Sums of the squares of the first samples; `function` holds its values by shift, `merits` those of the candidates.
  private let squares: UnsafeMutablePointer<Float>
  private let function: UnsafeMutablePointer<Float>
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
    merits = .allocate(capacity: Self.capacity)
    merits.initialize(repeating: 0, count: Self.capacity)
  }

  deinit {
    candidates.deallocate()
    squares.deallocate()
    function.deallocate()
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
    for shift in shortestShift...longestShift {
      let peak = peak(shift)
      if peak.height > 0 { insert(height: peak.height, shift: peak.shift) }
    }
    leaveOutMultiples()
    for index in 0..<count {
      let shift = Int(sampleRate / candidates[index].hertz + 0.5)
      candidates[index].localPeriodicity = likeness(window, shift: shift)
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
    for shift in (firstShift &- 4)...(longestShift &+ 1) {
      let both = squares[windowLength &- shift] + total - squares[shift]
      function[shift] = scale * samples[shift] / (both + 1e-12)
    }
  }

  /// Returns the peak between a sample and its neighbors; its height is 0 if there is none.
  @_noLocks
  private func peak(_ shift: Int) -> (height: Float, shift: Float) {
    let (before, here, after) = (function[shift &- 1], function[shift], function[shift &+ 1])
    guard here > 0.1, here > before, here >= after else { return (0, 0) }
    let offset = 0.5 * (before - after) / (before - 2 * here + after)
    return (here - 0.25 * (before - after) * offset, Float(shift) + offset)
  }

  /// Returns the function between its samples, by the polynomial through eight of them.
  ///
  /// A parabola has too large an error at the shortest periods.
  @_noLocks
  private func height(at shift: Float) -> Float {
    let first = Int(shift) &- 3
    // Binomials of 7 with alternating signs, as barycentric weights of equal steps.
    var weight: Float = 1
    var (above, below): (Float, Float) = (0, 0)
    for index in 0..<8 {
      let distance = shift - Float(first &+ index)
      guard distance.magnitude > 1e-4 else { return function[first &+ index] }
      above += weight / distance * function[first &+ index]
      below += weight / distance
      weight *= -Float(7 &- index) / Float(index &+ 1)
    }
    return above / below
  }

  /// Drops the candidates that a sound above the range has at multiples of its period.
  @_noLocks
  private mutating func leaveOutMultiples() {
    var period: (height: Float, shift: Float) = (0, 0)
    for shift in firstShift..<shortestShift {
      let peak = peak(shift)
      if peak.height > period.height { period = peak }
    }
    guard period.height > 0.7 else { return }
    // The added terms allow for the error of eight points at a peak that is a few samples wide, and has overtones.
    let square = period.shift * period.shift
    let reached = height(at: period.shift) + 0.003 + 60 / (square * square)
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
    let merit = (height < 2 - height ? height : 2 - height) + 0.01 * octave
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
  private func likeness(_ window: UnsafePointer<Float>, shift: Int) -> Float {
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
