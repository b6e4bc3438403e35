public import Synchronization

/// The reading half of a `Ring`. Thread: one at a time. Real-time: every member is wait-free.
public struct RingConsumer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): it may move to another thread; being non-copyable it is never on two.

  @usableFromInline let state: UnsafeMutablePointer<RingState>
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let policy: OverflowPolicy
  /// Elements that the ring can hold.
  public let capacity: Int
  @usableFromInline var head = 0
  @usableFromInline var cachedTail = 0
  private let ring: Ring<Element>

  init(ring: Ring<Element>) {
    self.ring = ring
    state = ring.state
    slots = ring.slots
    policy = ring.policy
    capacity = ring.capacity
  }

  /// Takes the oldest element.
  ///
  /// - Returns: The element; nil if the ring is empty.
  @inlinable
  public mutating func pop() -> Element? {
    guard beginReading(atLeast: 1) > 0 else { return nil }
    let element = slots[ringSlot(head, capacity: capacity)]
    release(1)
    return element
  }

  /// Returns the oldest element, to be read in place and then released.
  ///
  /// - Returns: The element's slot; nil if the ring is empty.
  @inlinable
  public mutating func peek() -> UnsafeMutablePointer<Element>? {
    guard beginReading(atLeast: 1) > 0 else { return nil }
    return slots + ringSlot(head, capacity: capacity)
  }

  /// Returns the oldest elements, at most `count`, to be read in place and then released, even if fewer are used.
  @inlinable
  public mutating func peek(upTo count: Int) -> RingRegion<Element> {
    let readable = beginReading(atLeast: count)
    return RingRegion(slots: slots, position: head, count: Swift.min(count, readable), capacity: capacity)
  }

  /// Gives `count` slots from `peek` back to the producer.
  @inlinable
  public mutating func release(_ count: Int) {
    // A look that found nothing took no hold of the ring; the producer may have moved the head since.
    if case .dropOldest = policy, state.pointee.head.load(ordering: .relaxed) & 1 == 0 {
      return precondition(count == 0, "more elements released than were peeked at")
    }
    head = ringAdvance(head, by: count, capacity: capacity)
    state.pointee.head.store(head << 1, ordering: .releasing)
  }

  /// Elements that can be read now. The producer can only add to them, unless it drops the oldest.
  @inlinable
  public var readableCount: Int {
    mutating get {
      if case .dropOldest = policy { return guardedReadableCount() }
      cachedTail = state.pointee.tail.load(ordering: .acquiring)
      return ringDistance(from: head, to: cachedTail, capacity: capacity)
    }
  }

  /// Whether the producer has finished; the elements left in the ring can still be read.
  @inlinable
  public var isFinished: Bool { state.pointee.finished.load(ordering: .acquiring) }

  /// Makes sure that the elements for the next read stay in place.
  ///
  /// - Returns: Count of elements that can be read.
  @inlinable
  mutating func beginReading(atLeast count: Int) -> Int {
    if case .dropOldest = policy { return beginGuardedReading() }
    let known = ringDistance(from: head, to: cachedTail, capacity: capacity)
    return known >= count && known > 0 ? known : readableCount
  }

  /// Begins a read of a ring that drops its oldest elements. Not inlined: its loop would crowd the code of the other
  /// rings.
  ///
  /// - Returns: Count of elements that can be read.
  @inlinable @inline(never)
  mutating func beginGuardedReading() -> Int {
    // Each failed exchange means that the producer dropped an element from a full ring in between, and one drop takes
    // it 10 ms of audio. The bound makes the call wait-free, whatever the producer does.
    for _ in 0..<4 {
      let seen = state.pointee.head.load(ordering: .acquiring)
      cachedTail = state.pointee.tail.load(ordering: .acquiring)
      head = seen >> 1
      if seen & 1 == 1 { return ringDistance(from: head, to: cachedTail, capacity: capacity) }
      if head == cachedTail { return 0 }
      let (exchanged, _) = state.pointee.head.compareExchange(
        expected: seen, desired: seen | 1, ordering: .acquiringAndReleasing)
      guard exchanged else { continue }
      // The exchange also succeeds if the producer has gone all the way around since the tail was loaded. From here on
      // the head stays, so a tail loaded now belongs to it.
      cachedTail = state.pointee.tail.load(ordering: .acquiring)
      return ringDistance(from: head, to: cachedTail, capacity: capacity)
    }
    return 0
  }

  @inlinable
  func guardedReadableCount() -> Int {
    let before = state.pointee.head.load(ordering: .acquiring)
    let tail = state.pointee.tail.load(ordering: .acquiring)
    // The producer moves the head of a full ring only.
    guard state.pointee.head.load(ordering: .relaxed) == before else { return capacity }
    return Swift.min(capacity, ringDistance(from: before >> 1, to: tail, capacity: capacity))
  }
}
