/// A fault that the gate must find.
enum Plant: String, CaseIterable {
  /// A node of the graph allocates.
  case malloc
  /// A node of the graph locks.
  case lock
  /// What receives a stream allocates.
  case receiving
  /// What sends a voice allocates.
  case sending
  /// An observer allocates while very much is played.
  case sounds
}

/// Allocates and frees.
///
/// REALTIME: unbounded on purpose; it is the fault that the gate is tried with.
@_semantics("no_performance_analysis") @inline(never)
func allocateOnPurpose() {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
  keep(memory)
  memory.deallocate()
}

/// Hides a pointer, so that the compiler cannot leave its memory out.
@_semantics("no_performance_analysis") @inline(never) @_optimize(none)
private func keep(_ memory: UnsafeMutableRawPointer) {}
