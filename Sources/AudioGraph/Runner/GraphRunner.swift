import LockFree
import Synchronization

/// Runs a graph, 10 ms a call, and takes over a changed graph between two calls.
///
///     control thread   install(graph) ──▶ [pending plan] ──▶ tick()   audio thread
///                      collect()      ◀── retire ring   ◀──
///
/// A new plan is taken at a tick boundary through one atomic pointer. The old one returns through a ring and is freed
/// on the control thread.
///
/// ```swift
/// let graph = try Graph(sampleRate: 48_000)
/// let samples = Ring<Float>(capacity: 48_000, initial: 0)
/// let source = SampleSourceNode(reading: samples.takeConsumer(), channelCount: 1, sampleRate: 48_000, sourceID: 1)
/// let voice = try graph.add(source, named: "voice")
/// let end = try graph.add(NullSinkNode(channelCount: 1), named: "end")
/// try graph.connect(voice, to: end)
/// let runner = GraphRunner(sampleRate: 48_000)
/// try runner.install(graph)
/// for tick in 0..<100 { runner.tick(timeNanoseconds: tick * 10_000_000) }
/// ```
public final class GraphRunner: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `state` belongs to the audio thread, `signals` is made of atomics, everything else
  // belongs to the control thread.

  private let state: RenderState<RunnerState>
  private let core: UnsafeMutablePointer<RunnerState>
  private let signals = RenderState(RunnerSignals())
  private var retired: RingConsumer<UnsafeMutablePointer<PlanCore>>
  private var plans: [UnsafeMutablePointer<PlanCore>: Plan] = [:]
  private var running: Plan?
  private var published: Plan?

  /// Creates a runner without a plan; its ticks only count.
  public init(sampleRate: Int) {
    // At most two plans can be on their way back: `install` collects, and publishes one at a time.
    let ring = Ring<UnsafeMutablePointer<PlanCore>>(capacity: 4, initial: UnsafeMutablePointer(bitPattern: 8)!)
    retired = ring.takeConsumer()
    state = RenderState(RunnerState(sampleRate: sampleRate, signals: signals.pointer, retired: ring.takeProducer()))
    core = state.pointer
  }

  /// Renders one frame. Thread: audio. Real-time: neither locks nor allocates; costs as much as the steps.
  ///
  /// - Parameter timeNanoseconds: Monotonic time of the engine's clock at the beginning of the tick.
  @_noLocks
  public func tick(timeNanoseconds: Int) { core.pointee.tick(timeNanoseconds) }

  /// Whether a node has called `notifyControl` in the newest tick. Thread: audio.
  public var hasNews: Bool { @_noLocks get { core.pointee.hasNews } }

  /// Number of ticks rendered so far. Thread: any.
  public var tickCount: Int { signals.pointer.pointee.completedTicks.load(ordering: .acquiring) }

  /// Compiles `graph` and hands the plan to the audio thread. Thread: control.
  ///
  /// - Throws: `GraphError` for the fault of the graph; the running plan is not touched.
  public func install(_ graph: Graph) throws(GraphError) {
    // Twice at most: only this thread puts plans into the slot, and the other can empty it once.
    while true {
      collect()
      // A plan that the audio thread has not taken yet is replaced, so the new one must lead on from what runs. It
      // stays in the slot while this one compiles: no tick goes without a plan that it could have had.
      let unseen = signals.pointer.pointee.pending.load(ordering: .acquiring)
      if unseen == nil { running = published }
      let plan = try graph.compile(replacing: running)
      let (isReplaced, _) = signals.pointer.pointee.pending.compareExchange(
        expected: unseen, desired: plan.core, ordering: .acquiringAndReleasing)
      guard isReplaced else { continue }
      if let unseen { plans[unseen] = nil }
      plans[plan.core] = plan
      published = plan
      return
    }
  }

  /// The plan installed last. Thread: control.
  public var plan: Plan? { published }

  /// Frees plans that the audio thread has returned, and nodes that left with a change that is over. Thread: control.
  ///
  /// - Returns: Number of plans still alive.
  @discardableResult
  public func collect() -> Int {
    while let core = retired.pop() {
      plans[core] = nil
      if running?.core == core { running = nil }
    }
    if let settled = signals.pointer.pointee.settled.load(ordering: .acquiring) { plans[settled]?.releaseTransition() }
    return plans.count
  }
}

/// Signals between the two threads of a runner.
private struct RunnerSignals: ~Copyable {
  /// Pairs: `releasing` exchange by control, `acquiring` exchange by the audio thread.
  let pending = Atomic<UnsafeMutablePointer<PlanCore>?>(nil)
  let completedTicks = Atomic<Int>(0)
  /// Plan with a completed change from the previous one; nil while there is none. Pairs: `releasing` store by the audio
  /// thread, `acquiring` load by control. Cleared before a plan is retired, so that it never names a freed one.
  let settled = Atomic<UnsafeMutablePointer<PlanCore>?>(nil)
}

/// The audio thread's half of a runner.
private struct RunnerState: ~Copyable {
  private let signals: UnsafeMutablePointer<RunnerSignals>
  private let schedule: FrameSchedule
  private var retired: RingProducer<UnsafeMutablePointer<PlanCore>>
  private var current: UnsafeMutablePointer<PlanCore>?
  private var isSettled = false
  private var index = 0

  init(
    sampleRate: Int, signals: UnsafeMutablePointer<RunnerSignals>,
    retired: consuming RingProducer<UnsafeMutablePointer<PlanCore>>
  ) {
    self.signals = signals
    schedule = FrameSchedule(sampleRate: sampleRate)
    self.retired = retired
  }

  var hasNews: Bool { @_noLocks get { current?.pointee.tick.pointee.hasNews ?? false } }

  @_noLocks
  mutating func tick(_ timeNanoseconds: Int) {
    takePending()
    if let current {
      current.pointee.render(Tick(index: index, schedule: schedule, timeNanoseconds: timeNanoseconds))
      if !isSettled, current.pointee.transitionTicks == 0 {
        isSettled = true
        signals.pointee.settled.store(current, ordering: .releasing)
      }
    }
    index &+= 1
    signals.pointee.completedTicks.store(index, ordering: .releasing)
  }

  @_noLocks
  private mutating func takePending() {
    // The relaxed load spares every other tick the locked exchange; one crossfade is finished before the next.
    guard signals.pointee.pending.load(ordering: .relaxed) != nil, (current?.pointee.transitionTicks ?? 0) == 0 else {
      return
    }
    guard let next = signals.pointee.pending.exchange(nil, ordering: .acquiring) else { return }
    isSettled = false
    signals.pointee.settled.store(nil, ordering: .releasing)
    if let current { _ = retired.push(current) }
    current = next
  }
}
