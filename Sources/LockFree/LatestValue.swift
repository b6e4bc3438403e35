public import Synchronization

/// Hands the newest value from one thread to another; older unread values are overwritten.
///
/// A triple buffer: writer and reader own one slot each and exchange it for the third, so that neither waits and a
/// value is never seen half written.
public final class LatestValue<Value: BitwiseCopyable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a slot is touched only by the side that owns its index.

  @usableFromInline let slots: UnsafeMutablePointer<Value>
  @usableFromInline let shared: UnsafeMutablePointer<Atomic<UInt8>>
  private let writerTaken = Atomic<Bool>(false)
  private let readerTaken = Atomic<Bool>(false)

  /// Creates a channel; the reader sees `initial` until the first write.
  public init(_ initial: Value) {
    slots = .allocate(capacity: 3)
    slots.initialize(repeating: initial, count: 3)
    shared = .allocate(capacity: 1)
    shared.initialize(to: Atomic(1))
  }

  deinit {
    slots.deallocate()
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// Returns the writing half. Traps on a second call.
  public func takeWriter() -> LatestValueWriter<Value> {
    precondition(!writerTaken.exchange(true, ordering: .relaxed), "the value's writer is already taken")
    return LatestValueWriter(channel: self)
  }

  /// Returns the reading half. Traps on a second call.
  public func takeReader() -> LatestValueReader<Value> {
    precondition(!readerTaken.exchange(true, ordering: .relaxed), "the value's reader is already taken")
    return LatestValueReader(channel: self)
  }
}

/// The writing half of a `LatestValue`. Thread: one at a time. Real-time: wait-free.
public struct LatestValueWriter<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): non-copyable, so it is never on two threads.
  @usableFromInline let slots: UnsafeMutablePointer<Value>
  @usableFromInline let shared: UnsafeMutablePointer<Atomic<UInt8>>
  @usableFromInline var own: UInt8 = 0
  private let channel: LatestValue<Value>

  init(channel: LatestValue<Value>) {
    self.channel = channel
    slots = channel.slots
    shared = channel.shared
  }

  /// Makes `value` the one that the reader sees next.
  @inlinable
  public mutating func write(_ value: Value) {
    slots[Int(own)] = value
    // Pairs with the reader's exchange: the slot's content is visible before its index is.
    own = shared.pointee.exchange(own | 4, ordering: .acquiringAndReleasing) & 3
  }
}

/// The reading half of a `LatestValue`. Thread: one at a time. Real-time: wait-free.
public struct LatestValueReader<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): non-copyable, so it is never on two threads.
  @usableFromInline let slots: UnsafeMutablePointer<Value>
  @usableFromInline let shared: UnsafeMutablePointer<Atomic<UInt8>>
  @usableFromInline var own: UInt8 = 2
  private let channel: LatestValue<Value>

  init(channel: LatestValue<Value>) {
    self.channel = channel
    slots = channel.slots
    shared = channel.shared
  }

  /// Returns the newest value written.
  @inlinable
  public mutating func read() -> Value {
    if shared.pointee.load(ordering: .relaxed) & 4 != 0 {
      own = shared.pointee.exchange(own, ordering: .acquiringAndReleasing) & 3
    }
    return slots[Int(own)]
  }
}
