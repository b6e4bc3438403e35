import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Measures the peaks of a signal between its samples.
///
/// Four times oversampling with a polyphase FIR filter: a windowed sinc of 32 taps a phase, flat within 0.16 dB up to
/// 0.46 of the sample rate. The largest of the oversampled points still misses a peak between two of them, by up to
/// 0.69 dB near half the sample rate. An eighth of the difference between a point's neighbors is therefore added to it:
/// for a sine the result is then -0.07 to +0.2 dB from the peak.
///
/// Source: ITU-R BS.1770-4, Annex 2.
struct TruePeakMeter: ~Copyable {
  /// Taps of one phase.
  static var tapCount: Int { @_noLocks get { 32 } }
  /// Samples that must follow the first sample of an interval.
  static var lookAhead: Int { @_noLocks get { 16 } }
  /// Samples that must precede the first sample of an interval; eight intervals before the first are computed as well.
  static var lookBehind: Int { @_noLocks get { 16 } }
  /// Number of intervals that are measured at once.
  static var blockCount: Int { @_noLocks get { 32 } }

  /// Factor of the first bound: no result exceeds the largest sample times this.
  let sampleShare: Float
  /// Factor of the second bound: no result exceeds the largest sample + this x the largest second difference.
  let bendShare: Float
  /// Taps in three rows of half as many as in a phase.
  ///
  /// The first row holds the common part of the points a quarter and three quarters of a sample after the first. The
  /// second row holds the point half a sample after it, the third the difference of the two.
  private let taps: UnsafeMutablePointer<Float>
  /// Three rows of points, each after the eight points before it.
  private let points: UnsafeMutablePointer<Float>
  private static var rowCount: Int { @_noLocks get { 40 } }

  init() {
    let rows = (1...3).map { Self.design(fraction: Double($0) / 4) }
    let pairs = Self.tapCount / 2
    taps = .allocate(capacity: 3 * pairs)
    for pair in 0..<pairs {
      let (early, late) = (rows[0][pair], rows[0][Self.tapCount - 1 - pair])
      (taps + pair).initialize(to: Float((early + late) / 2))
      (taps + pairs + pair).initialize(to: Float(rows[1][pair]))
      (taps + 2 * pairs + pair).initialize(to: Float((early - late) / 2))
    }
    points = .allocate(capacity: 3 * Self.rowCount)
    points.initialize(repeating: 0, count: 3 * Self.rowCount)
    let responses = Self.responses(rows)
    // Rounding in the sums of a block is far below a hundred thousandth.
    sampleShare = Float(responses.map { $0.reduce(0) { $0 + abs($1) } }.max()! * 1.000_01)
    bendShare = Float(responses.map(Self.bendShare).max()! * 1.000_01)
  }

  deinit {
    taps.deallocate()
    points.deallocate()
  }

  /// Returns whether no result can exceed `limit`, for the 32 intervals from `samples` on.
  ///
  /// Cheap, and seldom wrong for speech and music, because their loud parts are smooth.
  @_noLocks
  func isBelow(_ limit: Float, _ samples: UnsafePointer<Float>) -> Bool {
    let start = samples - Self.lookBehind
    let count = Self.lookBehind &+ Self.blockCount &+ Self.lookAhead
    let peak = PeakScan.magnitude(start, count: count)
    if peak * sampleShare <= limit { return true }
    return peak + PeakScan.bend(start, count: count) * bendShare <= limit
  }

  /// Raises `peaks[i]` to the signal's peak from sample `i` to the next, for 32 values of `i`.
  ///
  /// - Parameters:
  ///   - samples: Samples, readable from `-lookBehind - 8` to `32 + lookAhead`.
  ///   - peaks: Peaks to raise.
  ///   - continues: Whether the 32 intervals before these were measured last.
  @_noLocks
  mutating func measure(
    _ samples: UnsafePointer<Float>, raising peaks: UnsafeMutablePointer<Float>, continues: Bool
  ) {
    let rows = Self.rowCount
    if continues {
      for row in 0..<3 {
        for index in 0..<8 { points[row &* rows &+ index] = points[row &* rows &+ Self.blockCount &+ index] }
      }
    }
    var offset = continues ? 0 : -8
    while offset < Self.blockCount {
      interpolate(samples + offset, at: offset &+ 8)
      offset = offset &+ 8
    }
    let signal = UnsafeRawPointer(samples)
    let rowsOfPoints = UnsafeRawPointer(points + 8)
    let rowBytes = 4 &* rows
    let target = UnsafeMutableRawPointer(peaks)
    for group in 0..<4 {
      let at = 32 &* group
      let before = rowsOfPoints.loadUnaligned(fromByteOffset: 2 &* rowBytes &+ at &- 4, as: SIMD8<Float>.self)
      let point0 = signal.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
      let point1 = rowsOfPoints.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
      let point2 = rowsOfPoints.loadUnaligned(fromByteOffset: rowBytes &+ at, as: SIMD8<Float>.self)
      let point3 = rowsOfPoints.loadUnaligned(fromByteOffset: 2 &* rowBytes &+ at, as: SIMD8<Float>.self)
      let after = signal.loadUnaligned(fromByteOffset: at &+ 4, as: SIMD8<Float>.self)
      var peak = target.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
      raise(&peak, point0, before, point1)
      raise(&peak, point1, point0, point2)
      raise(&peak, point2, point1, point3)
      raise(&peak, point3, point2, after)
      target.storeBytes(of: peak, toByteOffset: at, as: SIMD8<Float>.self)
    }
  }

  /// Computes the three points after each of eight samples.
  @_noLocks
  private func interpolate(_ samples: UnsafePointer<Float>, at index: Int) {
    let signal = UnsafeRawPointer(samples - (Self.tapCount / 2 &- 1))
    // The first and the third row mirror each other, the second itself: with the sums and differences of mirrored
    // samples half of the products suffice.
    var common = SIMD8<Float>(repeating: 0)
    var half = common
    var difference = common
    let pairs = Self.tapCount / 2
    for pair in 0..<pairs {
      let early = signal.loadUnaligned(fromByteOffset: 4 &* pair, as: SIMD8<Float>.self)
      let late = signal.loadUnaligned(fromByteOffset: 4 &* (Self.tapCount &- 1 &- pair), as: SIMD8<Float>.self)
      let sum = early + late
      common += sum * taps[pair]
      half += sum * taps[pairs &+ pair]
      difference += (early - late) * taps[2 &* pairs &+ pair]
    }
    let quarter = common + difference
    let threeQuarters = common - difference
    let target = UnsafeMutableRawPointer(points + index)
    let rowBytes = 4 &* Self.rowCount
    target.storeBytes(of: quarter, as: SIMD8<Float>.self)
    target.storeBytes(of: half, toByteOffset: rowBytes, as: SIMD8<Float>.self)
    target.storeBytes(of: threeQuarters, toByteOffset: 2 &* rowBytes, as: SIMD8<Float>.self)
  }

  @_noLocks @inline(__always)
  private func raise(
    _ peak: inout SIMD8<Float>, _ point: SIMD8<Float>, _ before: SIMD8<Float>, _ after: SIMD8<Float>
  ) {
    let reach = PeakScan.magnitude(of: point) + PeakScan.magnitude(of: after - before) * Float(0.125)
    peak.replace(with: reach, where: reach .> peak)
  }

  /// Returns the taps of a phase: tap k weighs the sample k - 15 after the first; a Kaiser window (beta 3.5) of 32
  /// samples.
  private static func design(fraction: Double) -> [Double] {
    let half = Double(tapCount / 2)
    let values = (0..<tapCount).map { tap in
      let time = fraction - Double(tap - (tapCount / 2 - 1))
      let position = time / half
      let window = besselI0(3.5 * max(0, 1 - position * position).squareRoot()) / besselI0(3.5)
      return sin(Double.pi * time) / (Double.pi * time) * window
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }

  private static func besselI0(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for index in 1...30 {
      term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
      sum += term
    }
    return sum
  }

  /// Returns the filters behind each result: a point with its share of its neighbors, added and subtracted.
  private static func responses(_ rows: [[Double]]) -> [[Double]] {
    func shifted(_ row: [Double], by offset: Int) -> [Double] {
      [Double](repeating: 0, count: offset) + row + [Double](repeating: 0, count: 2 - offset)
    }
    var unit = [Double](repeating: 0, count: tapCount)
    unit[tapCount / 2 - 1] = 1
    let inner = [unit] + rows
    let all = [shifted(rows[2], by: 0)] + inner.map { shifted($0, by: 1) } + [shifted(unit, by: 2)]
    var responses: [[Double]] = []
    for point in 1...4 {
      for share in [-0.125, 0.125] {
        responses.append(all[point].indices.map { all[point][$0] + share * (all[point + 1][$0] - all[point - 1][$0]) })
      }
    }
    return responses
  }

  /// Returns the most that a filter can add to a straight line between two samples, at a second difference of 1.
  ///
  /// Take a filter of gain 1 with its center of gravity at a time t. It differs from linear interpolation at t by a
  /// filter blind to straight lines: a second difference, filtered with the result of two running sums over it.
  private static func bendShare(_ response: [Double]) -> Double {
    let center = response.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    let first = Int(center)
    var rest = response
    rest[first] -= 1 - (center - Double(first))
    rest[first + 1] -= center - Double(first)
    var slope = 0.0
    var bend = 0.0
    var sum = 0.0
    for value in rest {
      slope += value
      bend += slope
      sum += abs(bend)
    }
    return sum
  }
}
