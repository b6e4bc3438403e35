public import AudioGraph
import CPlatform
import FrameObservers
import Glibc
import Synchronization

extension AudioPipeline {
  static let nanosecondsPerTick = 1_000_000_000 / FrameSchedule.framesPerSecond

  /// Returns the delay from the sources to MIXED, in samples per channel. Compiles the graph if that has not been done.
  ///
  /// - Throws: An error of the graph.
  public func latency() throws(EngineError) -> Int {
    try install()
    return lock.withLock { _ in core.mixedLatency }
  }

  /// Position behind the last sample of the longest source, in samples per channel; nil while a source does not know
  /// its end. Thread: any.
  ///
  /// It is known before the frame that contains it is rendered.
  public var endPosition: Int? { core.knownEnd.position }

  /// Longest lag behind the clock that a run catches up with, in nanoseconds.
  private static let largestLag = 100_000_000

  /// Runs until every source is exhausted and its last sample has come out at MIXED. Thread: the caller's.
  ///
  /// Needs an offline pipeline. Nothing is dropped: a tick begins only when sources, sinks and asynchronous observers
  /// are ready for it. Tick k is at k x 10 ms, so the result does not depend on the pace. With a clock, a run that had
  /// to wait for more than 100 ms continues from there at the clock's pace. The times of its ticks show that: sound is
  /// sent when it is due, after a pause.
  ///
  /// - Parameters:
  ///   - pace: Speed of the run.
  ///   - shouldStop: Called at every tick; true ends the run early, with the sound rendered so far.
  /// - Throws: `.wrongState` if the pipeline runs already or is live; the first error of a sink that the pipeline has
  ///   created.
  public func runToEnd(pace: Pace = .free, shouldStop: () -> Bool = { false }) throws(EngineError) {
    try startStepping()
    runSteps(pace: pace, shouldStop: shouldStop)
    finishRun()
    try finishSinks()
  }

  /// Runs as `runToEnd` does. An output is not complete if the run is cancelled: a file keeps its `.part`.
  ///
  /// - Throws: Errors of `runToEnd`; `CancellationError` if the run was cancelled before its end.
  func runToEnd(pace: Pace, unlessCancelled isCancelled: () -> Bool) throws {
    try startStepping()
    let isWhole = runSteps(pace: pace, shouldStop: isCancelled)
    finishRun()
    try finishSinks(areWhole: isWhole)
    if !isWhole { throw CancellationError() }
  }

  /// - Returns: Whether the run has come to its end.
  @discardableResult
  private func runSteps(pace: Pace, shouldStop: () -> Bool) -> Bool {
    var isStopped = false
    func stopsNow() -> Bool {
      isStopped = isStopped || shouldStop()
      return isStopped
    }
    var (origin, interval) = (0, 100)
    if case .clock(let clock) = pace { (origin, interval) = (clock.nowNanoseconds, 2) }
    var time = core.tickCount * Self.nanosecondsPerTick
    while !stopsNow(), waitUntilReady(lookingEveryMilliseconds: interval, orStop: stopsNow) {
      if case .clock(let clock) = pace {
        clock.wait(untilNanoseconds: origin + time)
        // Caught up with in one go, a long wait for a source would fill the queues of a network, and come too late at
        // its end.
        let lag = clock.nowNanoseconds - origin - time
        if lag > Self.largestLag { time += lag }
      }
      step(atNanoseconds: time)
      time += Self.nanosecondsPerTick
    }
    deliverEvents()
    return !isStopped
  }

  /// Begins a run in which the caller makes the ticks, one `step` each. It is for callers with their own time, such as
  /// a simulation.
  ///
  /// - Parameter isEndless: Whether the run ends only when the caller ends it, independent of the sources.
  /// - Throws: `.wrongState` if the pipeline runs already or is not offline.
  public func startStepping(isEndless: Bool = false) throws(EngineError) {
    guard options.isOffline else {
      throw EngineError(
        .wrongState,
        "only an offline pipeline can run to its end or in steps; make it with mode: .offline, or use start()")
    }
    try begin()
    lock.withLock { _ in core.run.isEndless = isEndless }
  }

  /// Waits until sources, sinks and asynchronous observers are ready for the next step.
  ///
  /// - Parameter shouldStop: Called at every check; true ends the wait.
  /// - Returns: False if no step follows: every source is exhausted and has come out at MIXED, or the wait was ended.
  public func waitUntilReady(orStop shouldStop: () -> Bool = { false }) -> Bool {
    waitUntilReady(lookingEveryMilliseconds: 100, orStop: shouldStop)
  }

  /// Runs one tick and reports the events that it caused. Thread: one for the whole run.
  public func step(atNanoseconds time: Int) {
    // The thread is the caller's: its floating-point mode is restored.
    let denormals = cplatform_flush_denormals()
    tick(timeNanoseconds: time)
    cplatform_restore_denormals(denormals)
    if core.run.needsSweep.load(ordering: .relaxed) { sweep() }
    if core.tickCount % FrameSchedule.framesPerSecond == 0 { reportBrokenSources() }
    deliverEvents()
  }

  /// Ends the run that `startStepping` began; asynchronous observers and files receive the frames that wait for them.
  ///
  /// Files that the pipeline has made are completed. An error of one is a `warning` event, and its `finish` throws it.
  public func finishStepping() {
    finishRun()
    reportFinishedSinks()
  }

  private func finishRun() {
    finishObservers()
    end()
    reportBrokenSources()
    deliverEvents()
  }

  /// Ends observers, frame streams, sinks and recordings. Not under the lock: it waits for observers' calls, and those
  /// may call the pipeline.
  func finishObservers() {
    // Under the lock, so that an edit finds a pipeline that will finish, or fails.
    let (streams, sinks) = lock.withLock { _ in
      core.run.hasFinished.store(true, ordering: .releasing)
      return (frameStreams, self.sinks)
    }
    core.hub.finish()
    for stream in streams { stream.cancel() }
    for sink in sinks { sink.endOfStream() }
    for entry in lock.withLock({ _ in sources.present }) { entry.source.detach() }
    recorder.finish()
  }

  /// Runs one tick and records its cost. The caller ensures that no other thread ticks.
  func tick(timeNanoseconds: Int) {
    guard core.run.isCostMeasured else { return core.runner.tick(timeNanoseconds: timeNanoseconds) }
    let start = core.run.meter.nowNanoseconds
    core.runner.tick(timeNanoseconds: timeNanoseconds)
    tickCost.record(nanoseconds: core.run.meter.nowNanoseconds - start)
  }

  private func install() throws(EngineError) {
    if lock.withLock({ _ in core.run.isInstalled }) { return }
    try edit("the pipeline cannot be compiled") { core.run.isInstalled = true }
  }

  func begin() throws(EngineError) {
    try core.checkNotFinished()
    guard !core.run.isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
      throw EngineError(.wrongState, "the pipeline is running already; stop it first")
    }
    do {
      try install()
    } catch {
      core.run.isRunning.store(false, ordering: .releasing)
      throw error
    }
    core.run.tickingThread.store(UInt(pthread_self()), ordering: .releasing)
    core.log.write(.info, "the run begins at tick \(core.tickCount)")
  }

  func end() {
    core.log.write(
      lateTickCount > 0 ? .warn : .info, "the run ends at tick \(core.tickCount); \(lateTickCount) ticks were late")
    core.run.tickingThread.store(0, ordering: .releasing)
    core.run.isRunning.store(false, ordering: .releasing)
    sweep()
  }
}
