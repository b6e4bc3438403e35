/// Slots of a ring, in order: two pieces if they wrap around the end of the memory.
public struct RingRegion<Element: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): valid only until its half commits or releases; the half belongs to one thread.

  /// The slots up to the end of the memory.
  public let first: UnsafeMutableBufferPointer<Element>
  /// The slots that follow at the beginning of the memory; often empty.
  public let second: UnsafeMutableBufferPointer<Element>

  @inlinable
  init(slots: UnsafeMutablePointer<Element>, position: Int, count: Int, capacity: Int) {
    let start = ringSlot(position, capacity: capacity)
    let beforeWrap = Swift.min(count, capacity &- start)
    first = UnsafeMutableBufferPointer(start: slots + start, count: beforeWrap)
    second = UnsafeMutableBufferPointer(start: slots, count: count &- beforeWrap)
  }

  /// Count of slots in both pieces.
  @inlinable public var count: Int { first.count &+ second.count }
}
