public import Synchronization

/// State that the producer and the consumer of a ring share.
///
/// Positions run through 0..<2 * capacity, so that a full ring and an empty one differ without a spare slot. Each side
/// writes one position. The padding keeps the two on separate cache lines (two lines, because the prefetcher fetches
/// pairs).
@usableFromInline
struct RingState: ~Copyable {
  /// Written by the producer with `releasing` after the slots; read by the consumer with `acquiring`.
  @usableFromInline let tail = Atomic<Int>(0)
  private let padding0 = InlineArray<15, Int>(repeating: 0)
  /// Position << 1, plus 1 while a consumer of a ring that drops its oldest elements is reading. Written with
  /// `releasing` when slots are given back; read by the producer with `acquiring`.
  @usableFromInline let head = Atomic<Int>(0)
  private let padding1 = InlineArray<15, Int>(repeating: 0)
  /// Elements dropped so far. A count only: it orders nothing.
  @usableFromInline let dropped = Atomic<Int>(0)
  /// Set once by the producer after its last element; pairs with the consumer's load in `isFinished`.
  @usableFromInline let finished = Atomic<Bool>(false)

  @usableFromInline init() {}
}

/// Returns the count of elements between two positions of a ring.
@_noLocks @inlinable
func ringDistance(from head: Int, to tail: Int, capacity: Int) -> Int {
  let distance = tail &- head
  return distance < 0 ? distance &+ 2 &* capacity : distance
}

/// Returns a position advanced by at most `capacity`.
@_noLocks @inlinable
func ringAdvance(_ position: Int, by count: Int, capacity: Int) -> Int {
  let moved = position &+ count
  return moved >= 2 &* capacity ? moved &- 2 &* capacity : moved
}

/// Returns the slot of a position.
@_noLocks @inlinable
func ringSlot(_ position: Int, capacity: Int) -> Int {
  position >= capacity ? position &- capacity : position
}
