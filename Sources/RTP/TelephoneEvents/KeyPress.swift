/// A key of a telephone that was pressed and let go.
public struct KeyPress: Hashable, Sendable {
  /// One of `0123456789*#ABCD`.
  public var digit: Character
  /// When its first packet came, in nanoseconds of the clock.
  public var nanoseconds: Int
  /// How long it was pressed.
  public var durationMilliseconds: Int

  /// A key press from its parts.
  public init(digit: Character, nanoseconds: Int, durationMilliseconds: Int) {
    self.digit = digit
    self.nanoseconds = nanoseconds
    self.durationMilliseconds = durationMilliseconds
  }
}
