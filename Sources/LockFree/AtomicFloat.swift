import Synchronization

/// A number that any thread sets and the audio thread reads; a read returns the newest value.
public struct AtomicFloat: ~Copyable, Sendable {
  private let bits: Atomic<UInt32>

  /// Creates a number that starts at `value`.
  public init(_ value: Float) { bits = Atomic(value.bitPattern) }

  /// The newest value. Thread: any. Real-time: wait-free.
  public var value: Float {
    // Relaxed: the number orders nothing else.
    @_noLocks get { Float(bitPattern: bits.load(ordering: .relaxed)) }
  }

  /// Replaces the value. Thread: any. Real-time: wait-free.
  @_noLocks
  public func set(_ value: Float) { bits.store(value.bitPattern, ordering: .relaxed) }
}
