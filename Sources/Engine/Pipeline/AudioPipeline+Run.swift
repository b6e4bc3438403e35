public import AudioGraph
import CPlatform
import FrameObservers
import Glibc
import Synchronization

extension AudioPipeline {
  private static let nanosecondsPerTick = 1_000_000_000 / FrameSchedule.framesPerSecond

  /// Adds a consumer of the frames at MIXED or PLAYBACK.
  public func addSink(_ sink: any AudioSink, at position: MixedPosition = .mixed) throws(EngineError) {
    try edit("the sink cannot be added") {
      let id = try graph.add(sink.node, named: "sink \(sinks.count + 1)")
      try graph.connect(position == .mixed ? listener.mixed : listener.playback, to: id)
      sinks.append(sink)
    }
  }

  /// Delay from the sources to MIXED, in samples per channel. Compiles the graph if that has not been done.
  ///
  /// Throws: what is wrong with the graph.
  public func latency() throws(EngineError) -> Int {
    try install()
    return lock.withLock { _ in runner.plan?.latency(of: listener.mixed) ?? 0 }
  }

  /// Position behind the last sample of the longest source; nil while a source does not know its end. Thread: any.
  ///
  /// Known before the frame is rendered in which it lies.
  public var endPosition: Int? { knownEnd.position }

  /// How far a run may lag behind its clock and make good for it.
  private static let largestLag = 100_000_000

  /// Runs until every source is exhausted and its last sample has come out at MIXED. Thread: the caller's.
  ///
  /// Needs a lossless pipeline. Nothing is dropped: a tick begins only when sources, sinks and asynchronous
  /// observers are ready for it. Tick k is at k x 10 ms, so the result does not depend on the pace. By a clock, a run
  /// that was kept waiting for more than 100 ms goes on from there at the clock's pace, and its ticks' times say so:
  /// what is sent is sent when it is due, behind a pause.
  ///
  /// - Parameter shouldStop: asked at every tick; true ends the run early, with what has come so far.
  /// - Throws: `.wrongState` when the pipeline runs already or is not lossless.
  public func runToEnd(pace: Pace = .free, shouldStop: () -> Bool = { false }) throws(EngineError) {
    try startStepping()
    defer { finishStepping() }
    var (origin, interval) = (0, 100)
    if case .clock(let clock) = pace { (origin, interval) = (clock.nowNanoseconds, 2) }
    var time = runner.tickCount * Self.nanosecondsPerTick
    while !shouldStop(), waitUntilReady(lookingEveryMilliseconds: interval, orStop: shouldStop) {
      if case .clock(let clock) = pace {
        clock.wait(untilNanoseconds: origin + time)
        // Made good in one go, a long wait for a source would fill the queues of a network, and come too late at its
        // end.
        let lag = clock.nowNanoseconds - origin - time
        if lag > Self.largestLag { time += lag }
      }
      step(atNanoseconds: time)
      time += Self.nanosecondsPerTick
    }
    deliverEvents()
  }

  /// Begins a run whose ticks the caller makes, one `step` each: for who has a time of his own, as a simulation does.
  ///
  /// - Parameter isEndless: the run ends when the caller ends it, whatever becomes of the sources.
  /// - Throws: `.wrongState` when the pipeline runs already or is not lossless.
  public func startStepping(isEndless: Bool = false) throws(EngineError) {
    guard options.isLossless else {
      throw EngineError(
        .wrongState, "only a lossless pipeline can run to its end or in steps; set isLossless, or use start()")
    }
    try begin()
    lock.withLock { _ in self.isEndless = isEndless }
  }

  /// Waits until sources, sinks and asynchronous observers are ready for the next step.
  ///
  /// - Parameter shouldStop: asked at every look; true ends the wait.
  /// - Returns: false when there is no next one: every source is exhausted and has come out at MIXED, or the wait was
  ///   ended.
  public func waitUntilReady(orStop shouldStop: () -> Bool = { false }) -> Bool {
    waitUntilReady(lookingEveryMilliseconds: 100, orStop: shouldStop)
  }

  /// - Parameter interval: a source that is full rings; what a slow one gives, as a pipe does, is found by looking.
  private func waitUntilReady(lookingEveryMilliseconds interval: Int, orStop shouldStop: () -> Bool) -> Bool {
    if foreseenTicks > 0, edits.load(ordering: .relaxed) == foreseenEdits {
      foreseenTicks -= 1
      return true
    }
    while true {
      switch readiness(index: runner.tickCount) {
      case .ended: return false
      case .ready(let ticks):
        foreseenTicks = ticks - 1
        return true
      case .waiting:
        deliverEvents()
        bell.wait(atMostMilliseconds: interval)
        if shouldStop() { return false }
      }
    }
  }

  /// One tick, and the events that it caused. Thread: one for the whole run.
  public func step(atNanoseconds time: Int) {
    // The thread is the caller's: its arithmetic is given back as it was.
    let denormals = cplatform_flush_denormals()
    tick(timeNanoseconds: time)
    cplatform_restore_denormals(denormals)
    if needsSweep.load(ordering: .relaxed) { sweep() }
    deliverEvents()
  }

  /// Ends what `startStepping` began; asynchronous observers and files get what waits for them.
  public func finishStepping() {
    finishObservers()
    end()
  }

  /// Starts a thread that ticks every 10 ms of `clock` until `stop`. Sources that have nothing to give are silent,
  /// sinks that are full lose frames; both count.
  ///
  /// Throws: `.wrongState` where it runs or has finished, `.refused` where the system gives no thread.
  public func start(clock: any EngineClock = SystemClock()) throws(EngineError) {
    try begin()
    isStopping.store(false, ordering: .releasing)
    if clock is SystemClock { lock.withLock { _ in streamReports.processorMeter = ProcessorMeter() } }
    var started: [BackgroundThread] = []
    do {
      started.append(try BackgroundThread(named: "housekeeping") { [self] in keepHouse() })
      started.append(try BackgroundThread(named: "audio") { [self] in runLive(clock) })
    } catch {
      isStopping.store(true, ordering: .releasing)
      housekeepingBell.ring()
      for thread in started { thread.join() }
      end()
      throw EngineError(.refused, error.description, cause: error)
    }
    lock.withLock { _ in liveThreads = started }
  }

  private func keepHouse() {
    while !isStopping.load(ordering: .acquiring) {
      sweep()
      lock.withLock { _ in _ = runner.collect() }
      deliverEvents()
      housekeepingBell.wait(atMostMilliseconds: hasEvents ? 10 : 100)
    }
  }

  /// Ends what `start` began; what waits for asynchronous observers is delivered. Not from an observer's call.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    housekeepingBell.ring()
    let threads = lock.withLock { _ in
      defer { liveThreads = [] }
      return liveThreads
    }
    guard !threads.isEmpty else { return }
    for thread in threads { thread.join() }
    deliverEvents()
    finishObservers()
    isRealTime.store(false, ordering: .releasing)
    end()
  }

  /// Not under the lock: it waits for observers' calls, and those may call the pipeline.
  private func finishObservers() {
    hasFinished.store(true, ordering: .releasing)
    hub.finish()
    for stream in lock.withLock({ _ in streams }) { stream.cancel() }
    for sink in lock.withLock({ _ in sinks }) { sink.endOfStream() }
    finishRecordings()
  }

  private var hasEvents: Bool {
    isVolumeIndicated.load(ordering: .acquiring) || isVoicePitchReported.load(ordering: .acquiring)
      || hasSounds.load(ordering: .acquiring) || hasRecordings.load(ordering: .acquiring)
      || hasStreams.load(ordering: .acquiring)
  }

  /// One tick, with its cost. The caller has made sure that nobody else ticks.
  func tick(timeNanoseconds: Int) {
    guard isCostMeasured else { return runner.tick(timeNanoseconds: timeNanoseconds) }
    let start = meter.nowNanoseconds
    runner.tick(timeNanoseconds: timeNanoseconds)
    tickCost.record(nanoseconds: meter.nowNanoseconds - start)
  }

  private func install() throws(EngineError) {
    if lock.withLock({ _ in isInstalled }) { return }
    try edit("the pipeline cannot be compiled") { isInstalled = true }
  }

  private func begin() throws(EngineError) {
    guard !hasFinished.load(ordering: .acquiring) else {
      throw EngineError(.wrongState, "the pipeline has finished and its observers with it; make another")
    }
    guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
      throw EngineError(.wrongState, "the pipeline is running already; stop it first")
    }
    do {
      try install()
    } catch {
      isRunning.store(false, ordering: .releasing)
      throw error
    }
    tickingThread.store(UInt(pthread_self()), ordering: .releasing)
    log.write(.info, "the run begins at tick \(runner.tickCount)")
  }

  private func end() {
    log.write(
      lateTickCount > 0 ? .warn : .info, "the run ends at tick \(runner.tickCount); \(lateTickCount) ticks were late")
    tickingThread.store(0, ordering: .releasing)
    isRunning.store(false, ordering: .releasing)
    sweep()
  }

  private enum Readiness {
    /// For so many ticks, unless something is changed meanwhile.
    case ready(ticks: Int)
    case waiting
    case ended
  }

  /// Looks at every source, sink and asynchronous observer; asks those that hold the next tick up to hurry.
  private func readiness(index: Int) -> Readiness {
    lock.withLock { _ in
      foreseenEdits = edits.load(ordering: .relaxed)
      // Who else takes frames is looked at each time.
      var ticks = !hub.hasRoom() ? 0 : hub.isWaitedFor || !recordings.isEmpty ? 1 : Int.max
      var isExhausted = true
      var end = isEndless ? nil : soundsEnd
      for source in sources {
        let ready = source.readyTicks
        if ready == 0 { source.requestMore() }
        ticks = min(ticks, ready)
        isExhausted = isExhausted && source.isExhausted
        if let position = source.endPosition, let longest = end { end = max(longest, position) } else { end = nil }
      }
      for sink in sinks {
        let ready = sink.readyTicks
        if ready == 0 { sink.requestRoom() }
        ticks = min(ticks, ready)
      }
      for recording in recordings {
        for track in recording.tracks.values where !track.isReady {
          recordingThread?.hurry()
          ticks = 0
        }
      }
      if let end {
        knownEnd.store(end)
        // What was changed on the way may have added to it.
        let latency = runner.plan?.latency(of: listener.mixed) ?? 0
        if isExhausted, end == 0 || index >= schedule.frameCount(holding: end + latency) { return .ended }
      }
      // The end is looked for at each tick once nothing else is to be waited for.
      if isExhausted { ticks = min(ticks, 1) }
      return ticks > 0 ? .ready(ticks: ticks) : .waiting
    }
  }

  /// Asks for a priority above every ordinary thread's, below the kernel's own. Returns: whether it was granted.
  private static func askForPriority() -> Bool {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO) + 9
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
  }

  private func runLive(_ clock: any EngineClock) {
    tickingThread.store(UInt(pthread_self()), ordering: .releasing)
    _ = cplatform_flush_denormals()
    isRealTime.store(Self.askForPriority(), ordering: .releasing)
    let origin = clock.nowNanoseconds
    var index = 0
    while !isStopping.load(ordering: .acquiring) {
      let due = origin + index * Self.nanosecondsPerTick
      clock.wait(untilNanoseconds: due)
      if clock.nowNanoseconds - due > Self.nanosecondsPerTick { lateTicks.wrappingAdd(1, ordering: .relaxed) }
      tick(timeNanoseconds: due)
      index += 1
    }
  }
}

/// Where a sink takes its frames.
public enum MixedPosition: Hashable, Sendable {
  /// Every sound once, the local user's among them.
  case mixed
  /// The remote users.
  case playback
}
