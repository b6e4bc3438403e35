/// Extends sequence numbers beyond 16 bits, through wraps, losses and reordering.
///
/// Each number is taken for the one nearest to the highest so far. The first keeps its value. A packet before it that
/// arrives late gets a lower number, below 0 if need be. After a restart of the sender a new unwrapper is needed.
public struct SequenceUnwrapper: Sendable, BitwiseCopyable {
  private var highest = 0
  private var isEmpty = true

  /// Creates an unwrapper before the first number.
  @_noLocks
  public init() {}

  /// Returns the number without wraps.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func unwrap(_ sequenceNumber: UInt16) -> Int {
    if isEmpty {
      isEmpty = false
      highest = Int(sequenceNumber)
      return highest
    }
    let distance = Int16(bitPattern: sequenceNumber &- UInt16(truncatingIfNeeded: highest))
    let unwrapped = highest &+ Int(distance)
    if unwrapped > highest { highest = unwrapped }
    return unwrapped
  }
}
