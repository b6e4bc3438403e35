/// Counts on beyond the 32 bits of RTP timestamps, which at 48 kHz wrap once a day.
///
/// Each is taken for the one nearest to the highest so far: a jump of up to 12 hours at 48 kHz is told right.
public struct TimestampUnwrapper: Sendable, BitwiseCopyable {
  private var highest = 0
  private var isEmpty = true

  /// An unwrapper that has seen nothing.
  @_noLocks
  public init() {}

  /// The timestamp without wraps.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func unwrap(_ timestamp: UInt32) -> Int {
    if isEmpty {
      isEmpty = false
      highest = Int(timestamp)
      return highest
    }
    let distance = Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: highest))
    let unwrapped = highest &+ Int(distance)
    if unwrapped > highest { highest = unwrapped }
    return unwrapped
  }
}
