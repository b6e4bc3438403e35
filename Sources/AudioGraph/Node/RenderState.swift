/// Owns the memory of a node's audio-thread state, at an address that stays.
///
/// A plain pointer on the audio thread costs no reference counting and no exclusivity checks.
public final class RenderState<Value: ~Copyable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init the audio thread alone mutates the value; control code reaches
  // into it only through atomics and rings.

  /// The state.
  public let pointer: UnsafeMutablePointer<Value>

  /// Moves `value` to its place.
  public init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
