/// The control-side half of a node: its ports, its delay, and the function that renders it.
///
///     control thread   AudioNode (this object): ports, latency, parameters ── atomics, rings ──┐
///     audio thread     RenderFunction(RenderContext, state) ◀──────────────────────────────────┘
///
/// The object owns the render state for as long as a plan refers to it, so state survives every change of the
/// graph in which the node stays. Ports, latency and renderer must not change once the node is in a graph.
///
/// Thread: control. The render function alone runs on the audio thread; it must carry `@_noLocks`.
public protocol AudioNode: AnyObject, Sendable {
  /// Ports where frames enter.
  var inputs: [InputPort] { get }
  /// Ports where frames leave.
  var outputs: [OutputPort] { get }
  /// Samples per channel by which the outputs lag behind the inputs.
  var latency: Int { get }
  /// True where the first output may lie in the same memory as the first input.
  var rendersInPlace: Bool { get }
  /// True where a silent first input makes the outputs silent: their headers then arrive saying so.
  var keepsSilence: Bool { get }
  /// What the audio thread calls.
  var renderer: Renderer { get }
}

extension AudioNode {
  public var latency: Int { 0 }
  public var rendersInPlace: Bool { true }
  public var keepsSilence: Bool { false }
}
