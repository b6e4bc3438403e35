import AudioGraph
import Synchronization

/// How far the run of a pipeline is, and the threads that it runs on.
final class RunState {
  /// Whether the runner has a plan. Under the pipeline's lock.
  var isInstalled = false
  /// Whether a run in steps continues when every source is exhausted. Under the pipeline's lock.
  var isEndless = false
  /// The threads of a live run. Under the pipeline's lock.
  var liveThreads: [BackgroundThread] = []

  /// Ticks that can follow without another look, while nothing is changed. Of the thread that steps.
  var foreseenTicks = 0
  /// `edits` at that look. Of the thread that steps.
  var foreseenEdits = 0
  /// Changes that were asked for so far.
  let edits = Atomic<Int>(0)

  let isRunning = Atomic<Bool>(false)
  /// Stored after the last tick.
  let hasFinished = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let isRealTime = Atomic<Bool>(false)
  let lateTicks = Atomic<Int>(0)
  /// The thread that ticks; 0 while none does.
  let tickingThread = Atomic<UInt>(0)

  /// Whether a sweep has work. Stored by any thread, the audio thread too; taken by the thread that sweeps.
  let needsSweep = Atomic<Bool>(false)
  /// Rung when a live run ends.
  let housekeepingBell = Doorbell()

  /// Measures cost only; no sample and no event depends on it.
  let meter = SystemClock()
  /// False where a tick costs little more than two looks at the clock. Set before the first tick.
  var isCostMeasured = true

  /// Whether the last tick is over. Thread: any.
  var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

  /// Asks the driver or the housekeeper for a sweep. Thread: any. Real-time: wait-free.
  func requestSweep() { needsSweep.store(true, ordering: .releasing) }
}
