/// A position between the left and the right ear: -1 left, 0 front, 1 right.
public struct Panning: Hashable, Sendable, Comparable {
  /// Possible positions.
  public static let range = -1.0...1.0
  /// Position in front.
  public static let center = Panning(unchecked: 0)

  /// The position, -1 (left) to 1 (right).
  public let value: Double

  /// Creates a position.
  ///
  /// - Throws: `EffectParameterError.panning` if `value` is not in `range`.
  public init(_ value: Double) throws(EffectParameterError) {
    guard Self.range.contains(value) else { throw .panning(value) }
    self.value = value
  }

  private init(unchecked value: Double) { self.value = value }

  public static func < (left: Panning, right: Panning) -> Bool { left.value < right.value }
}
