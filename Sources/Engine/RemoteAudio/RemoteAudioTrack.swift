import MediaStreams

/// The sound of one remote user outside the audio thread: its state, and the durations of its states.
///
/// Thread: control, under the pipeline's lock. Time is ticks, and never goes back.
struct RemoteAudioTrack {
  private(set) var source: RTPSource
  private(set) var machine = RemoteAudioStateMachine()
  /// Ticks in which the sound was frozen.
  private(set) var frozenTicks = 0
  /// Ticks since the user came in which it had not muted its stream.
  private(set) var activeTicks = 0
  /// Ticks of `activeTicks` in which there was a stream.
  private(set) var publishedTicks = 0
  /// Whether a mute held sound back, at one of its ends, since the last report.
  private(set) var wasHeldBack = false
  /// Whether the user itself has muted its stream since the last report.
  private(set) var wasRemotelyMuted = false
  /// Overdue samples when the user muted its stream; nil if the stream continues, or there is none.
  private var overdueWhenMuted: Int?
  /// Counts of the receiver at the last report; `reportedTick` is the tick of that report.
  private(set) var reported = JitterBufferStatistics()
  private(set) var reportedTick: Int
  private var tick: Int

  init(_ source: RTPSource, tick: Int) {
    self.source = source
    self.tick = tick
    reportedTick = tick
  }

  /// Whether sound should come.
  var hasStream: Bool { machine.phase != .none && !machine.isRemotelyMuted }

  /// News about the sound.
  enum News {
    case change(RemoteAudioStateMachine.Change)
    /// Another source is heard.
    case source(UInt32)
  }

  /// Processes an observation of the receiver.
  ///
  /// - Returns: The news.
  mutating func take(_ observation: ReceptionObservation) -> [News] {
    // The tick is over when its observation can be known.
    pass(to: observation.tick + 1)
    return machine.observe(observation.phase, isFailing: observation.isFailing).map { .change($0) }
      + (observation.newSource.map { [.source($0)] } ?? [])
  }

  mutating func setLocallyMuted(_ isMuted: Bool, tick: Int) -> [RemoteAudioStateMachine.Change] {
    pass(to: tick)
    defer { noteMutes() }
    source.setMuted(isMuted)
    return machine.setLocallyMuted(isMuted)
  }

  mutating func setRemotelyMuted(_ isMuted: Bool, tick: Int) -> [RemoteAudioStateMachine.Change] {
    pass(to: tick)
    defer { noteMutes() }
    if !isMuted {
      overdueWhenMuted = nil
    } else if hasStream {
      overdueWhenMuted = source.latestSnapshot.statistics.overdueSamples
    }
    return machine.setRemotelyMuted(isMuted)
  }

  /// Returns the samples that have not come and should have, of all that the receiver counts as overdue. Behind a
  /// stream's end nothing may have been sent.
  func overdueSamples(_ statistics: JitterBufferStatistics) -> Int {
    hasStream ? statistics.overdueSamples : max(reported.overdueSamples, overdueWhenMuted ?? 0)
  }

  /// Continues with another source, which has its own counts.
  mutating func replaceSource(with source: RTPSource) {
    self.source = source
    source.setMuted(machine.isLocallyMuted)
    reported = source.latestSnapshot.statistics
    overdueWhenMuted = overdueWhenMuted.map { _ in 0 }
  }

  mutating func leave() -> [RemoteAudioStateMachine.Change] { machine.leave() }

  /// Notes that a report was made.
  mutating func setReported(_ statistics: JitterBufferStatistics, tick: Int) {
    reported = statistics
    reportedTick = tick
    wasHeldBack = false
    wasRemotelyMuted = false
    noteMutes()
  }

  private mutating func noteMutes() {
    if machine.isRemotelyMuted { wasRemotelyMuted = true }
    if machine.isLocallyMuted || machine.isRemotelyMuted { wasHeldBack = true }
  }

  /// Advances the time to the beginning of a tick, before the counts up to then are read. Otherwise this may wait for
  /// news.
  mutating func pass(to end: Int) {
    let passed = max(0, end - tick)
    tick += passed
    if machine.state == .frozen { frozenTicks += passed }
    if machine.isRemotelyMuted { return }
    activeTicks += passed
    if machine.phase != .none { publishedTicks += passed }
  }
}
