/// Steps in memory that the audio thread iterates over: no objects, no arrays, only pointers.
struct StepList {
  let steps: UnsafeMutablePointer<Step>
  let count: Int
  private let inputs: UnsafeMutablePointer<StepInput>
  private let outputs: UnsafeMutablePointer<Frame>

  /// Creates the list; `frame` finds the memory behind a slot, `silence` a frame of zeros with so many channels.
  init(
    _ order: [FlowNode], arriving: Set<FlowNode.Key>, delays: [FlowNode.Key: PlanDelay],
    slots: [FlowNode.Source: BufferAssignment.Slot],
    tick: UnsafeMutablePointer<PlanTick>,
    frame: (BufferAssignment.Slot) -> Frame, silence: (Int) -> Frame
  ) {
    count = order.count
    steps = .allocate(capacity: max(1, count))
    inputs = .allocate(capacity: max(1, order.reduce(0) { $0 + $1.inputs.count }))
    outputs = .allocate(capacity: max(1, order.reduce(0) { $0 + $1.node.outputs.count }))
    var nextInput = inputs
    var nextOutput = outputs
    for (index, node) in order.enumerated() {
      let renderer = node.node.renderer
      (steps + index).initialize(
        to: Step(
          function: renderer.function, state: renderer.state, latency: node.latency,
          keepsSilence: node.node.keepsSilence, isFadingIn: arriving.contains(node.key),
          delay: delays[node.key] ?? PlanDelay(0), inputs: nextInput,
          inputCount: node.inputs.count, outputs: nextOutput, outputCount: node.node.outputs.count, tick: tick))
      for input in node.inputs {
        let view =
          input.source.map { frame(slots[$0]!) } ?? silence(node.node.inputs[input.port].channelCounts.upperBound)
        nextInput.initialize(to: StepInput(frame: view, fade: input.fade))
        nextInput += 1
      }
      for port in node.node.outputs.indices {
        nextOutput.initialize(to: frame(slots[.init(key: node.key, port: port)]!))
        nextOutput += 1
      }
    }
  }

  func deallocate() {
    steps.deallocate()
    inputs.deallocate()
    outputs.deallocate()
  }

  /// Renders one frame of every step.
  @_noLocks
  func render(_ tick: Tick) {
    for index in 0..<count {
      let step = steps + index
      if step.pointee.outputCount > 0 {
        // Taken before it is written: the first output may lie in the first input's memory.
        let header = outputHeader(of: step, tick: tick)
        for port in 0..<step.pointee.outputCount { step.pointee.outputs[port].header.pointee = header }
      }
      invoke(step.pointee.function, UnsafeMutableRawPointer(step), step.pointee.state)
    }
  }

  @_noLocks
  private func outputHeader(of step: UnsafeMutablePointer<Step>, tick: Tick) -> FrameHeader {
    guard step.pointee.inputCount > 0 else { return FrameHeader(tick) }
    var header = step.pointee.inputs[0].frame.header.pointee
    header.samplePosition &-= step.pointee.latency
    header.samplesPerChannel = tick.samplesPerChannel
    header.isSilent = header.isSilent && step.pointee.keepsSilence
    return header
  }
}

extension FrameHeader {
  /// Creates the header of a frame that begins in this tick.
  @_noLocks
  init(_ tick: Tick) {
    self.init(
      samplePosition: tick.samplePosition, samplesPerChannel: tick.samplesPerChannel, sequenceNumber: tick.index,
      captureTimeNanoseconds: tick.timeNanoseconds)
  }
}
