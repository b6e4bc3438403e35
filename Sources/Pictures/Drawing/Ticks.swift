import Glibc

/// Round values within a range: 1, 2 or 5 times a power of ten.
package enum Ticks {
  /// Returns multiples of a round step, at most `maximum` of them.
  package static func linear(in domain: ClosedRange<Double>, atMost maximum: Int) -> [Double] {
    let least = (domain.upperBound - domain.lowerBound) / Double(max(1, maximum))
    return multiples(of: roundedUp(least), in: domain)
  }

  /// Returns 1, 2 and 5 times each power of ten.
  package static func logarithmic(in domain: ClosedRange<Double>) -> [Double] { decades([1, 2, 5], domain) }

  /// Returns 3, 4, 6, 7, 8 and 9 times each power of ten.
  package static func logarithmicBetween(in domain: ClosedRange<Double>) -> [Double] {
    decades([3, 4, 6, 7, 8, 9], domain)
  }

  /// Returns the least of 1, 2 and 5 times a power of ten that is not below `value`.
  package static func roundedUp(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 1 }
    let power = pow(10, floor(log10(value)))
    // A round value stays, whatever the last bit of the division is.
    return power * ([1, 2, 5].first { $0 * (1 + 1e-9) >= value / power } ?? 10)
  }

  package static func multiples(of step: Double, in domain: ClosedRange<Double>) -> [Double] {
    let slack = 1e-9
    let first = Int((domain.lowerBound / step - slack).rounded(.up))
    let last = Int((domain.upperBound / step + slack).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }

  private static func decades(_ multiples: [Double], _ domain: ClosedRange<Double>) -> [Double] {
    let first = Int(log10(domain.lowerBound).rounded(.down))
    let last = Int(log10(domain.upperBound).rounded(.up))
    return (first...last).flatMap { exponent in multiples.map { $0 * pow(10, Double(exponent)) } }
      .filter { domain.contains($0) }
  }
}
