/// Owns the memory of a node's audio-thread state, at a fixed address.
///
/// A plain pointer on the audio thread costs no reference counting and no exclusivity checks. A mutating render
/// function has exclusive access to the whole value. Data that other threads touch meanwhile (atomics too) therefore
/// lives in a separate `RenderState`, and the value holds its pointer.
public final class RenderState<Value: ~Copyable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init either the audio thread alone touches the value, or it is made of atomics
  // and rings and no thread has exclusive access to it.

  /// Pointer to the state.
  public let pointer: UnsafeMutablePointer<Value>

  /// Moves `value` to its fixed address.
  public init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
