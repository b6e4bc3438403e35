public import Synchronization

/// The writing half of a `Ring`. Thread: one at a time. Real-time: every member is wait-free.
public struct RingProducer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): it may move to another thread; being non-copyable it is never on two.

  @usableFromInline let state: UnsafeMutablePointer<RingState>
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let policy: OverflowPolicy
  /// Elements that the ring can hold.
  public let capacity: Int
  @usableFromInline var tail = 0
  @usableFromInline var cachedHead = 0
  private let ring: Ring<Element>

  init(ring: Ring<Element>) {
    self.ring = ring
    state = ring.state
    slots = ring.slots
    policy = ring.policy
    capacity = ring.capacity
  }

  /// Writes one element.
  ///
  /// - Returns: Whether the element was written; false if the ring was full, which counts the element as dropped.
  @inlinable
  public mutating func push(_ element: Element) -> Bool {
    guard hasRoom() else { return false }
    slots[ringSlot(tail, capacity: capacity)] = element
    commit(1)
    return true
  }

  /// Returns the next free slot, to be filled in place and then committed.
  ///
  /// - Returns: The slot; nil if the ring is full and its policy frees no slot, which counts the element as dropped.
  @inlinable
  public mutating func reserve() -> UnsafeMutablePointer<Element>? {
    hasRoom() ? slots + ringSlot(tail, capacity: capacity) : nil
  }

  /// Returns free slots, at most `count` of them, to be filled in place and then committed. Drops nothing.
  @inlinable
  public mutating func reserve(upTo count: Int) -> RingRegion<Element> {
    RingRegion(slots: slots, position: tail, count: Swift.min(count, freeCount), capacity: capacity)
  }

  /// Hands `count` filled slots over to the consumer.
  @inlinable
  public mutating func commit(_ count: Int) {
    tail = ringAdvance(tail, by: count, capacity: capacity)
    state.pointee.tail.store(tail, ordering: .releasing)
  }

  /// Slots that can be written now. The consumer can only add to them.
  @inlinable
  public var freeCount: Int {
    mutating get {
      cachedHead = state.pointee.head.load(ordering: .acquiring) >> 1
      return capacity &- ringDistance(from: cachedHead, to: tail, capacity: capacity)
    }
  }

  /// Notifies the consumer that no more elements will come.
  @inlinable
  public func finish() { state.pointee.finished.store(true, ordering: .releasing) }

  @inlinable
  var isFull: Bool {
    mutating get {
      if ringDistance(from: cachedHead, to: tail, capacity: capacity) < capacity { return false }
      return freeCount == 0
    }
  }

  /// Makes sure that there is a free slot, or counts the element as dropped.
  @inlinable
  mutating func hasRoom() -> Bool {
    !isFull || makeRoom()
  }

  /// Drops the oldest element if the policy allows it and the consumer is not reading; else counts the new one as
  /// dropped. Not inlined: this rare case would take registers from the common one.
  @inlinable @inline(never)
  mutating func makeRoom() -> Bool {
    if case .dropOldest = policy, capacity > 0, dropOldest() { return true }
    state.pointee.dropped.wrappingAdd(1, ordering: .relaxed)
    return false
  }

  @inlinable
  mutating func dropOldest() -> Bool {
    let next = ringAdvance(cachedHead, by: 1, capacity: capacity)
    let (exchanged, seen) = state.pointee.head.compareExchange(
      expected: cachedHead << 1, desired: next << 1, ordering: .acquiringAndReleasing)
    if exchanged {
      state.pointee.dropped.wrappingAdd(1, ordering: .relaxed)
      cachedHead = next
      return true
    }
    // The consumer moved on (then there is room) or is reading the oldest slot (then there is none).
    cachedHead = seen >> 1
    return ringDistance(from: cachedHead, to: tail, capacity: capacity) < capacity
  }
}
