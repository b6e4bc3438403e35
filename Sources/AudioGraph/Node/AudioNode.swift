/// The control-side half of a node: its ports, its delay, and the function that renders it.
///
///     control thread   AudioNode (this object): ports, latency, parameters ── atomics, rings ──┐
///     audio thread     RenderFunction(RenderContext, state) ◀──────────────────────────────────┘
///
/// The object owns the render state as long as a plan refers to it. The state thus survives every change of the graph
/// that keeps the node. Ports, latency and renderer must not change once the node is in a graph.
///
/// Thread: control. Only the render function runs on the audio thread; it must carry `@_noLocks`.
public protocol AudioNode: AnyObject, Sendable {
  /// Ports through which frames enter.
  var inputs: [InputPort] { get }
  /// Ports through which frames leave.
  var outputs: [OutputPort] { get }
  /// Lag of the outputs behind the inputs, in samples per channel.
  var latency: Int { get }
  /// Whether the first output may lie in the same memory as the first input.
  var rendersInPlace: Bool { get }
  /// Whether a silent first input makes the outputs silent; their headers then arrive marked as silent.
  var keepsSilence: Bool { get }
  /// Function that the audio thread calls, with its state.
  var renderer: Renderer { get }
}

extension AudioNode {
  public var latency: Int { 0 }
  public var rendersInPlace: Bool { true }
  public var keepsSilence: Bool { false }
}
