import Glibc

/// Where values lie on an axis, in px.
package struct Scale: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case linear
    /// For values above 0.
    case logarithmic
  }

  package let kind: Kind
  package let domain: ClosedRange<Double>
  /// Where the domain begins and ends; for an axis that goes up, the end is the smaller.
  private let start: Double
  private let end: Double

  /// An axis that goes to the right.
  package init(_ domain: ClosedRange<Double>, _ kind: Kind = .linear, across box: Box) {
    self.init(domain, kind, from: box.x, to: box.right)
  }

  /// An axis that goes up.
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

  /// The place of a value; what lies outside is at the nearer end, and so is what is no number at the beginning.
  package func callAsFunction(_ value: Double) -> Double {
    guard value > domain.lowerBound else { return start }
    guard value < domain.upperBound else { return end }
    return start + (end - start) * (place(value) - place(domain.lowerBound))
      / (place(domain.upperBound) - place(domain.lowerBound))
  }

  private func place(_ value: Double) -> Double { kind == .linear ? value : log(value) }
}
