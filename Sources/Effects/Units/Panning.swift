/// A position between the left and the right ear: -1 left, 0 front, 1 right.
public struct Panning: Hashable, Sendable, Comparable {
  /// What a position may be.
  public static let range = -1.0...1.0
  /// In front.
  public static let center = Panning(unchecked: 0)

  /// The position.
  public let value: Double

  /// Throws: `EffectParameterError.panning` when `value` is not in `range`.
  public init(_ value: Double) throws(EffectParameterError) {
    guard Self.range.contains(value) else { throw .panning(value) }
    self.value = value
  }

  private init(unchecked value: Double) { self.value = value }

  public static func < (left: Panning, right: Panning) -> Bool { left.value < right.value }
}
