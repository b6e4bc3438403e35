/// What a render function sees of the tick: the frames that come in, those that go out, and the time.
///
/// Valid for the call only. Outputs arrive with a header that continues the first input's (position less the
/// node's latency); samples are whatever the memory held, or the first input's where the two share it.
public struct RenderContext: BitwiseCopyable {
  private let step: UnsafeMutablePointer<Step>

  /// The context behind a render function's first argument.
  @_noLocks
  public init(_ raw: UnsafeMutableRawPointer) { step = raw.assumingMemoryBound(to: Step.self) }

  /// Frames that come in, in the order of ports and connections.
  public var inputCount: Int { @_noLocks get { step.pointee.inputCount } }

  /// Frames that go out.
  public var outputCount: Int { @_noLocks get { step.pointee.outputCount } }

  /// Which tick this is.
  public var tick: Tick { @_noLocks get { step.pointee.tick.pointee.tick } }

  /// True while a plan takes over in which every way from this node is new: what it renders is not heard yet, or only
  /// faded in. What comes and goes elsewhere in the graph has no part in it.
  public var isFadingIn: Bool { @_noLocks get { step.pointee.isFadingIn } }

  /// Delay from the graph's sources to this node's outputs, in samples per channel: that of the way that is heard,
  /// where a plan with another delay takes over.
  public var delay: Int { @_noLocks get { step.pointee.delay.samples(in: step.pointee.tick.pointee.transition) } }

  /// The frame at input `index`.
  @_noLocks
  public func input(_ index: Int) -> Frame {
    precondition(index >= 0 && index < step.pointee.inputCount, "input index out of range")
    return step.pointee.inputs[index].frame
  }

  /// The frame at output `index`.
  @_noLocks
  public func output(_ index: Int) -> Frame {
    precondition(index >= 0 && index < step.pointee.outputCount, "output index out of range")
    return step.pointee.outputs[index]
  }

  /// How strongly input `index` counts in this frame: 1, or a fade while its connection comes or goes.
  ///
  /// Only a port that takes any number of connections meets fades: while plans change it sees those that come and
  /// those that go. Elsewhere the two are crossfaded before the node.
  @_noLocks
  public func fade(ofInput index: Int) -> Ramp {
    step.pointee.inputs[index].fade.ramp(in: step.pointee.tick.pointee.transition)
  }
}
