import Foundation

/// How much of a sound is in what somebody made of it, however late: by the correlation of its parts.
package struct Likeness {
  /// The correlation of each tenth of a second with what lies where it belongs, 1 where nothing but the level differs.
  package let correlations: [Double]
  /// How much later each part lies than the one before it would have it, in seconds.
  package let shifts: [Double]

  /// Thinned to a rate that holds what a telephone does, so that looking everywhere is cheap.
  private static let thinning = 6
  private static let rate = 48_000 / thinning
  private static let part = rate / 10

  /// Compares sounds of one channel at 48 kHz; the first part is looked for in the first three seconds.
  package init(of original: [Double], in heard: [Double]) {
    let (reference, place) = (Self.thin(original), Self.thin(heard))
    var correlations: [Double] = []
    var shifts: [Double] = []
    var lag: Int?
    for start in stride(from: 0, to: reference.count - Self.part, by: Self.part) {
      let candidates = lag.map { start + $0 - Self.rate / 50...start + $0 + Self.rate / 50 } ?? 0...3 * Self.rate
      let (best, correlation) = Self.find(reference[start..<start + Self.part], in: place, at: candidates)
      correlations.append(correlation)
      if let lag { shifts.append(Double(best - start - lag) / Double(Self.rate)) }
      lag = best - start
    }
    self.correlations = correlations
    self.shifts = shifts
  }

  /// The share of parts that are there, in their order.
  package var share: Double { Double(correlations.count { $0 > 0.9 }) / Double(max(1, correlations.count)) }

  private static func thin(_ samples: [Double]) -> [Double] {
    stride(from: 0, to: samples.count - thinning, by: thinning).map { samples[$0..<$0 + thinning].reduce(0, +) }
  }

  private static func find(
    _ part: ArraySlice<Double>, in place: [Double], at starts: ClosedRange<Int>
  ) -> (start: Int, correlation: Double) {
    var best = (start: starts.lowerBound, correlation: -1.0)
    part.withUnsafeBufferPointer { part in
      place.withUnsafeBufferPointer { place in
        let own = part.reduce(0) { $0 + $1 * $1 }
        for start in starts where start >= 0 && start + part.count <= place.count {
          var (product, power) = (0.0, 0.0)
          for index in 0..<part.count {
            product += part[index] * place[start + index]
            power += place[start + index] * place[start + index]
          }
          let correlation = product / max(1e-12, (own * power).squareRoot())
          if correlation > best.correlation { best = (start, correlation) }
        }
      }
    }
    return best
  }
}
