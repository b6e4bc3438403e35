/// A compiled graph: steps in order, buffers, delays. Made on the control thread, run by `GraphRunner`.
public final class Plan: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init only the audio thread touches what `core` points to, between
  // taking the plan from the runner's slot and handing it back through the retire ring.

  let flow: Flow
  let core: UnsafeMutablePointer<PlanCore>
  private let nodes: [any AudioNode]
  private var transitionNodes: [any AudioNode]
  private let memory: [FrameMemory]

  init(flow: Flow, replacing previous: Flow?, sampleRate: Int) throws(GraphError) {
    self.flow = flow
    var transition: TransitionFlow?
    if let previous { transition = try TransitionFlow(from: previous, to: flow, sampleRate: sampleRate) }
    nodes = flow.order.map(\.node)
    transitionNodes = transition?.order.map(\.node) ?? []

    var assignment = BufferAssignment()
    let slots = assignment.assign(flow.order)
    let transitionSlots = transition.map { assignment.assign($0.order) }
    var pools: [Int: FrameMemory] = [:]
    for (channels, count) in assignment.needed {
      pools[channels] = FrameMemory(count: count, channelCount: channels, sampleRate: sampleRate)
    }
    var silent: [Int: FrameMemory] = [:]
    for channels in Set((flow.order + (transition?.order ?? [])).flatMap(\.silentChannelCounts)) {
      silent[channels] = FrameMemory(count: 1, channelCount: channels, sampleRate: sampleRate)
    }
    memory = Array(pools.values) + Array(silent.values)

    let tick = UnsafeMutablePointer<PlanTick>.allocate(capacity: 1)
    let start = Tick(index: 0, schedule: FrameSchedule(sampleRate: sampleRate), timeNanoseconds: 0)
    tick.initialize(to: PlanTick(tick: start, transition: .settled))
    let former = previous?.delays ?? [:]
    func list(
      _ order: [FlowNode], arriving: Set<FlowNode.Key>, _ slots: [FlowNode.Source: BufferAssignment.Slot],
      delays: [FlowNode.Key: PlanDelay]
    ) -> StepList {
      StepList(
        order, arriving: arriving, delays: delays, slots: slots, tick: tick,
        frame: { pools[$0.channelCount]![$0.index] },
        silence: { silent[$0]![0] })
    }
    let silences = UnsafeMutableBufferPointer<Frame>.allocate(capacity: silent.count)
    _ = silences.initialize(from: silent.values.map { $0[0] })
    core = .allocate(capacity: 1)
    core.initialize(
      to: PlanCore(
        steps: list(flow.order, arriving: [], slots, delays: flow.delays.mapValues { PlanDelay($0) }),
        transitionSteps: list(
          transition?.order ?? [], arriving: transition?.arriving ?? [], transitionSlots ?? [:],
          delays: transition?.delays(from: former, to: flow.delays) ?? [:]),
        transitionTicks: transition.map { $0.warmUpTicks + 1 } ?? 0, tick: tick,
        silences: silences))
  }

  deinit {
    core.pointee.steps.deallocate()
    core.pointee.transitionSteps.deallocate()
    core.pointee.tick.deallocate()
    core.pointee.silences.deallocate()
    core.deallocate()
  }

  /// Number of steps of one tick, including the compiler's delay lines.
  public var stepCount: Int { core.pointee.steps.count }

  /// Number of frames of memory that the plan moves audio through.
  public var bufferCount: Int { memory.reduce(0) { $0 + $1.count } }

  /// Returns the delay from the sources to a node's outputs, or to the inputs of a sink.
  ///
  /// - Returns: Delay in samples per channel; nil if the node is not in the plan.
  public func latency(of node: NodeID) -> Int? { flow.keys[node].flatMap { flow.delays[$0] } }

  /// Releases the nodes that only the change from the previous plan needed. Thread: control, once that change is over.
  func releaseTransition() { transitionNodes = [] }
}

/// The part of a plan that the audio thread sees.
struct PlanCore {
  let steps: StepList
  let transitionSteps: StepList
  /// Number of ticks that still belong to the change from the previous plan.
  var transitionTicks: Int
  let tick: UnsafeMutablePointer<PlanTick>
  /// Silent frames for inputs without a source.
  let silences: UnsafeMutableBufferPointer<Frame>

  @_noLocks
  mutating func render(_ now: Tick) {
    tick.pointee.tick = now
    tick.pointee.hasNews = false
    for index in 0..<silences.count {
      let header = silences[index].header
      header.pointee = FrameHeader(now)
      header.pointee.isSilent = true
      header.pointee.provenance = .silence
    }
    guard transitionTicks > 0 else {
      tick.pointee.transition = .settled
      return steps.render(now)
    }
    transitionTicks &-= 1
    tick.pointee.transition = transitionTicks == 0 ? .crossfading : .warmingUp
    transitionSteps.render(now)
  }
}

extension FlowNode {
  /// Channel counts of the silent frames for inputs without a source.
  fileprivate var silentChannelCounts: [Int] {
    inputs.filter { $0.source == nil }.map { node.inputs[$0.port].channelCounts.upperBound }
  }
}
