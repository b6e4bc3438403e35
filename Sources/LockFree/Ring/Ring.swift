import Synchronization

/// A bounded queue between one producing and one consuming thread.
///
///     producer thread ── RingProducer ──▶ [slot|slot|slot] ──▶ RingConsumer ── consumer thread
///
/// The two halves are taken once each and cannot be copied, so that a second producer or consumer does not compile.
/// Both halves are wait-free. Any capacity is possible; a ring of capacity 0 is always full and always empty.
///
/// ```swift
/// let ring = Ring<Int>(capacity: 8, initial: 0)
/// var producer = ring.takeProducer()
/// var consumer = ring.takeConsumer()
/// if let slot = producer.reserve() {
///   slot.pointee = 42
///   producer.commit(1)
/// }
/// if let slot = consumer.peek() {
///   print(slot.pointee)
///   consumer.release(1)
/// }
/// ```
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

  /// Creates an empty ring; its slots start as copies of `initial`.
  public convenience init(capacity: Int, policy: OverflowPolicy = .dropNewest, initial: Element) {
    self.init(capacity: capacity, policy: policy, keepAlive: nil) { _ in initial }
  }

  /// Creates an empty ring and prepares its slots one by one, for elements that are views of memory that `keepAlive`
  /// owns.
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

  /// Returns the producing half. Traps on a second call.
  public func takeProducer() -> RingProducer<Element> {
    precondition(!producerTaken.exchange(true, ordering: .relaxed), "the ring's producer is already taken")
    return RingProducer(ring: self)
  }

  /// Returns the consuming half. Traps on a second call.
  public func takeConsumer() -> RingConsumer<Element> {
    precondition(!consumerTaken.exchange(true, ordering: .relaxed), "the ring's consumer is already taken")
    return RingConsumer(ring: self)
  }
}
