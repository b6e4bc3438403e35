/// Counts on beyond the 16 bits of sequence numbers, through wraps, losses and reordering.
///
/// Each number is taken for the one nearest to the highest so far. The first keeps its value; what came before it and
/// arrives late gets a lower one, below 0 if need be. After a restart of the sender make a new one.
public struct SequenceUnwrapper: Sendable, BitwiseCopyable {
  private var highest = 0
  private var isEmpty = true

  /// An unwrapper that has seen nothing.
  @_noLocks
  public init() {}

  /// The number without wraps.
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
