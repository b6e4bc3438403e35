/// Calls a step's render function.
///
/// REALTIME: the compiler cannot look through a function pointer. Bounded because only named functions that carry
/// `@_noLocks` themselves are registered as renderers, which the repository's lint checks.
@_semantics("no_performance_analysis") @inline(never)
func invoke(_ function: RenderFunction, _ step: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  function(step, state)
}
