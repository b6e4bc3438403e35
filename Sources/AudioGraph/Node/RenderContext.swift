/// A render function's view of the tick: the input frames, the output frames, and the time.
///
/// Valid for the call only. Outputs arrive with a header that continues the first input's (position minus the node's
/// latency). Their samples are the old content of the memory, or the first input's if the two share it.
public struct RenderContext: BitwiseCopyable {
  private let step: UnsafeMutablePointer<Step>

  /// Creates the context from a render function's first argument.
  @_noLocks
  public init(_ raw: UnsafeMutableRawPointer) { step = raw.assumingMemoryBound(to: Step.self) }

  /// Number of input frames, in the order of ports and connections.
  public var inputCount: Int { @_noLocks get { step.pointee.inputCount } }

  /// Number of output frames.
  public var outputCount: Int { @_noLocks get { step.pointee.outputCount } }

  /// Tick that is being rendered.
  public var tick: Tick { @_noLocks get { step.pointee.tick.pointee.tick } }

  /// Whether a plan takes over in which every path from this node is new. The node's output is then not heard yet, or
  /// only faded in. Changes elsewhere in the graph have no influence.
  public var isFadingIn: Bool { @_noLocks get { step.pointee.isFadingIn } }

  /// Delay from the graph's sources to this node's outputs, in samples per channel. While a plan with another delay
  /// takes over, it is the delay of the path that is heard.
  public var delay: Int { @_noLocks get { step.pointee.delay.samples(in: step.pointee.tick.pointee.transition) } }

  /// Reports that the node has something for the control thread, which learns it after the tick; see
  /// `GraphRunner.hasNews`.
  @_noLocks
  public func notifyControl() { step.pointee.tick.pointee.hasNews = true }

  /// Returns the frame at input `index`.
  @_noLocks
  public func input(_ index: Int) -> Frame {
    precondition(index >= 0 && index < step.pointee.inputCount, "input index out of range")
    return step.pointee.inputs[index].frame
  }

  /// Returns the frame at output `index`.
  @_noLocks
  public func output(_ index: Int) -> Frame {
    precondition(index >= 0 && index < step.pointee.outputCount, "output index out of range")
    return step.pointee.outputs[index]
  }

  /// Returns the gain of input `index` in this frame: 1, or a fade while its connection is added or removed.
  ///
  /// Only a port that takes any number of connections meets fades: while plans change, it receives both added and
  /// removed connections. At other ports the two are crossfaded before the node.
  @_noLocks
  public func fade(ofInput index: Int) -> Ramp {
    step.pointee.inputs[index].fade.ramp(in: step.pointee.tick.pointee.transition)
  }
}
