/// A function that renders one frame of one node: (context, state).
///
/// Make a `RenderContext` from the first argument, and cast the second to the type of the value in the node's
/// `RenderState`.
public typealias RenderFunction = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

/// A render function with the state that it is called with.
public struct Renderer: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the pair is only carried to the plan; the audio thread alone calls it.

  let function: RenderFunction
  let state: UnsafeMutableRawPointer

  /// Pairs a named `@_noLocks` function with the state of its node.
  public init<State: ~Copyable>(_ function: RenderFunction, _ state: RenderState<State>) {
    self.function = function
    self.state = UnsafeMutableRawPointer(state.pointer)
  }
}
