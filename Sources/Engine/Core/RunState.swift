import AudioGraph
import Synchronization

/// State of a pipeline's run, and the threads that it runs on.
final class RunState {
  /// Whether the runner has a plan. Under the pipeline's lock.
  var isInstalled = false
  /// Whether a run in steps continues after every source is exhausted. Under the pipeline's lock.
  var isEndless = false
  /// The threads of a live run. Under the pipeline's lock.
  var liveThreads: [BackgroundThread] = []
  /// The program's end stops a live run. Under the pipeline's lock.
  var endAction: Program.EndAction?

  /// Time of a live run's ticks. Thread: any.
  let time = LiveTime()

  /// Held while a live run ends.
  let stopping = Guarded<Void>(())

  /// Ticks that can follow without another check, while nothing is changed. Owned by the thread that steps.
  var foreseenTicks = 0
  /// Value of `edits` at the newest check. Owned by the thread that steps.
  var foreseenEdits = 0
  /// Number of changes requested so far.
  let edits = Atomic<Int>(0)

  let isRunning = Atomic<Bool>(false)
  /// Whether the run has finished; stored after the last tick.
  let hasFinished = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let isRealTime = Atomic<Bool>(false)
  let lateTicks = Atomic<Int>(0)
  /// The thread that ticks; 0 while none does.
  let tickingThread = Atomic<UInt>(0)

  /// Whether a sweep has work. Stored by any thread, including the audio thread; taken by the thread that sweeps.
  let needsSweep = Atomic<Bool>(false)
  /// Rung when a live run ends, or a tick has news.
  let housekeepingBell = Doorbell()

  /// Clock that measures cost only; no sample and no event depends on it.
  let meter = SystemClock()
  /// Whether the cost of ticks is measured; false if a tick costs little more than two reads of the clock. Set before
  /// the first tick.
  var isCostMeasured = true

  /// Whether the last tick is over. Thread: any.
  var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

  /// Requests a sweep from the driver or the housekeeper. Thread: any. Real-time: wait-free.
  func requestSweep() { needsSweep.store(true, ordering: .releasing) }
}
