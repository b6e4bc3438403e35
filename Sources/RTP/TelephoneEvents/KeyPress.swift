/// A press of a telephone key that has been released.
public struct KeyPress: Hashable, Sendable {
  /// Key, one of `0123456789*#ABCD`.
  public var digit: Character
  /// Arrival of its first packet, in nanoseconds of the clock.
  public var nanoseconds: Int
  /// Duration of the press, in ms.
  public var durationMilliseconds: Int

  /// Creates a key press from its parts.
  public init(digit: Character, nanoseconds: Int, durationMilliseconds: Int) {
    self.digit = digit
    self.nanoseconds = nanoseconds
    self.durationMilliseconds = durationMilliseconds
  }
}
