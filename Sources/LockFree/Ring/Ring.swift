import Synchronization

/// A bounded queue between one producing and one consuming thread.
///
///     producer thread ── RingProducer ──▶ [slot|slot|slot] ──▶ RingConsumer ── consumer thread
///
/// The two halves are taken once each and cannot be copied, so that a second producer or consumer does not
/// compile. Both are wait-free. Any capacity is possible; a ring of capacity 0 is always full and always empty.
public final class Ring<Element: BitwiseCopyable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): slots are touched only by the half that the positions in `state` give them to.

  @usableFromInline let state: UnsafeMutablePointer<RingState>
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let policy: OverflowPolicy
  private let keepAlive: AnyObject?
  private let producerTaken = Atomic<Bool>(false)
  private let consumerTaken = Atomic<Bool>(false)
  /// Elements that the ring can hold.
  public let capacity: Int

  /// An empty ring; its slots start as copies of `initial`.
  public convenience init(capacity: Int, policy: OverflowPolicy = .dropNewest, initial: Element) {
    self.init(capacity: capacity, policy: policy, keepAlive: nil) { _ in initial }
  }

  /// An empty ring whose slots are prepared one by one, for elements that are views of memory which
  /// `keepAlive` owns.
  public init(capacity: Int, policy: OverflowPolicy, keepAlive: AnyObject?, slot: (Int) -> Element) {
    precondition(capacity >= 0, "a ring's capacity cannot be negative")
    self.capacity = capacity
    self.policy = policy
    self.keepAlive = keepAlive
    state = .allocate(capacity: 1)
    state.initialize(to: RingState())
    slots = .allocate(capacity: max(1, capacity))
    for index in 0..<capacity { (slots + index).initialize(to: slot(index)) }
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    slots.deallocate()
  }

  /// Elements dropped so far because the ring was full. Thread: any.
  public var droppedCount: Int { state.pointee.dropped.load(ordering: .relaxed) }

  /// The producing half. Traps when it is asked for twice.
  public func takeProducer() -> RingProducer<Element> {
    precondition(!producerTaken.exchange(true, ordering: .relaxed), "the ring's producer is already taken")
    return RingProducer(ring: self)
  }

  /// The consuming half. Traps when it is asked for twice.
  public func takeConsumer() -> RingConsumer<Element> {
    precondition(!consumerTaken.exchange(true, ordering: .relaxed), "the ring's consumer is already taken")
    return RingConsumer(ring: self)
  }
}
