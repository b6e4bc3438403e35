public import AudioGraph
import CPlatform
import Glibc
import Synchronization

/// Live runs: a thread that ticks by a clock, and a housekeeping thread.
extension AudioPipeline {
  /// Starts a thread that ticks every 10 ms of `clock` until `stop`. Sources without samples are silent, and full sinks
  /// lose frames; both are counted.
  ///
  /// - Throws: `.wrongState` if the pipeline runs or has finished; `.refused` if the system does not provide a thread.
  public func start(clock: any EngineClock = SystemClock()) throws(EngineError) {
    try begin()
    core.run.isStopping.store(false, ordering: .releasing)
    if clock is SystemClock { lock.withLock { _ in streams.reports.processorMeter = ProcessorMeter() } }
    var started: [BackgroundThread] = []
    do {
      started.append(try BackgroundThread(named: "housekeeping") { [self] in keepHouse() })
      started.append(try BackgroundThread(named: "audio") { [self] in runLive(clock) })
    } catch {
      core.run.isStopping.store(true, ordering: .releasing)
      core.run.housekeepingBell.ring()
      for thread in started { thread.join() }
      end()
      throw EngineError(.refused, error.description, cause: error)
    }
    lock.withLock { _ in core.run.liveThreads = started }
    let endAction = Program.onEnd { [weak self] in self?.stop() }
    lock.withLock { _ in core.run.endAction = endAction }
  }

  private func keepHouse() {
    while !core.run.isStopping.load(ordering: .acquiring) {
      sweep()
      lock.withLock { _ in _ = core.runner.collect() }
      reportBrokenSources()
      deliverEvents()
      core.run.housekeepingBell.wait(atMostMilliseconds: features.isAnyPolled ? 10 : 100)
    }
  }

  /// Ends the run that `start` began. Frames that wait for asynchronous observers are delivered, and files that the
  /// pipeline has created are completed: an error is a `warning` event, and their `finish` throws it. Not from an
  /// observer's call. A second call at the same time waits for the first.
  public func stop() { core.run.stopping.withLock { _ in endLiveRun() } }

  private func endLiveRun() {
    core.run.isStopping.store(true, ordering: .releasing)
    core.run.housekeepingBell.ring()
    let threads = lock.withLock { _ in
      core.run.endAction?.cancel()
      defer { core.run.liveThreads = [] }
      return core.run.liveThreads
    }
    guard !threads.isEmpty else { return }
    for thread in threads { thread.join() }
    reportBrokenSources()
    deliverEvents()
    finishObservers()
    core.run.isRealTime.store(false, ordering: .releasing)
    end()
    reportFinishedSinks()
  }

  /// Requests a priority above that of every ordinary thread, below the kernel's own.
  ///
  /// - Returns: Whether it was granted.
  private static func askForPriority() -> Bool {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO) + 9
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
  }

  private func runLive(_ clock: any EngineClock) {
    core.run.tickingThread.store(UInt(pthread_self()), ordering: .releasing)
    _ = cplatform_flush_denormals()
    core.run.isRealTime.store(Self.askForPriority(), ordering: .releasing)
    let origin = clock.nowNanoseconds
    core.run.time.begin(clock, originNanoseconds: origin)
    var index = 0
    while !core.run.isStopping.load(ordering: .acquiring) {
      let due = origin + index * Self.nanosecondsPerTick
      clock.wait(untilNanoseconds: due)
      if clock.nowNanoseconds - due > Self.nanosecondsPerTick { core.run.lateTicks.wrappingAdd(1, ordering: .relaxed) }
      tick(timeNanoseconds: due)
      // REALTIME: between two ticks, where this thread makes system calls; a ring does not wait.
      if core.runner.hasNews || core.run.needsSweep.load(ordering: .relaxed) { core.run.housekeepingBell.ring() }
      index += 1
    }
  }
}
