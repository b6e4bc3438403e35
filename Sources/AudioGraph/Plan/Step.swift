/// One call of a plan: a render function with all its arguments. Plain memory, made at compilation.
struct Step: BitwiseCopyable {
  let function: RenderFunction
  let state: UnsafeMutableRawPointer
  let latency: Int
  let keepsSilence: Bool
  /// Whether every path from this step is only just being faded in.
  let isFadingIn: Bool
  /// Delay from the sources to the outputs, in samples per channel.
  let delay: PlanDelay
  let inputs: UnsafeMutablePointer<StepInput>
  let inputCount: Int
  let outputs: UnsafeMutablePointer<Frame>
  let outputCount: Int
  let tick: UnsafeMutablePointer<PlanTick>
}

/// An input frame of a step, with its fade.
struct StepInput: BitwiseCopyable {
  let frame: Frame
  let fade: Fade
}

/// Data that every step of a plan shares during one tick.
struct PlanTick: BitwiseCopyable {
  var tick: Tick
  var transition: Transition
  /// Whether a node has called `notifyControl`.
  var hasNews = false
}
