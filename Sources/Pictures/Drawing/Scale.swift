import Glibc

/// Positions of values on an axis, in px.
package struct Scale: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case linear
    /// Logarithmic scale, for values above 0.
    case logarithmic
  }

  package let kind: Kind
  package let domain: ClosedRange<Double>
  /// Positions of the domain's ends, in px; for a vertical axis, `end` is the smaller one.
  private let start: Double
  private let end: Double

  /// Creates an axis to the right.
  package init(_ domain: ClosedRange<Double>, _ kind: Kind = .linear, across box: Box) {
    self.init(domain, kind, from: box.x, to: box.right)
  }

  /// Creates an axis upward.
  package init(_ domain: ClosedRange<Double>, _ kind: Kind = .linear, up box: Box) {
    self.init(domain, kind, from: box.bottom, to: box.y)
  }

  private init(_ domain: ClosedRange<Double>, _ kind: Kind, from start: Double, to end: Double) {
    precondition(domain.lowerBound < domain.upperBound, "an axis needs a length")
    precondition(kind == .linear || domain.lowerBound > 0, "a logarithmic axis begins above 0")
    self.kind = kind
    self.domain = domain
    self.start = start
    self.end = end
  }

  /// Returns the position of a value, in px; values outside are at the nearer end, and NaN is at the beginning.
  package func callAsFunction(_ value: Double) -> Double {
    guard value > domain.lowerBound else { return start }
    guard value < domain.upperBound else { return end }
    return start + (end - start) * (place(value) - place(domain.lowerBound))
      / (place(domain.upperBound) - place(domain.lowerBound))
  }

  private func place(_ value: Double) -> Double { kind == .linear ? value : log(value) }
}
