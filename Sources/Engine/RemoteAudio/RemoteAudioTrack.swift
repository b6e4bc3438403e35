import MediaStreams

/// What is known of one remote user's sound beside the audio thread: its state, and how long it was what.
///
/// Thread: control, under the pipeline's lock. Time is ticks, and never goes back.
struct RemoteAudioTrack {
  let source: RTPSource
  private(set) var machine = RemoteAudioStateMachine()
  /// Ticks in which it was frozen.
  private(set) var frozenTicks = 0
  /// Ticks in which the user had not muted its stream, since it is here.
  private(set) var activeTicks = 0
  /// Those of them in which there was a stream.
  private(set) var publishedTicks = 0
  /// Whether sound was kept back, at one of its ends, since the last report.
  private(set) var wasHeldBack = false
  /// Whether the user itself did that.
  private(set) var wasRemotelyMuted = false
  /// What was overdue when the user muted its stream; nil: it goes on, or there is none.
  private var overdueWhenMuted: Int?
  /// What its receiver had counted at the last report, and at which tick.
  private(set) var reported = JitterBufferStatistics()
  private(set) var reportedTick: Int
  private var tick: Int

  init(_ source: RTPSource, tick: Int) {
    self.source = source
    self.tick = tick
    reportedTick = tick
  }

  /// True while something should come.
  var hasStream: Bool { machine.phase != .none && !machine.isRemotelyMuted }

  /// What is new of the sound.
  enum News {
    case change(RemoteAudioStateMachine.Change)
    /// Another source is heard.
    case source(UInt32)
  }

  /// Takes in what the receiver has come to. Returns: what is new.
  mutating func take(_ observation: ReceptionObservation) -> [News] {
    // It is over when it can be known.
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
      overdueWhenMuted = source.latestReportBlock.statistics.overdueSamples
    }
    return machine.setRemotelyMuted(isMuted)
  }

  /// What has not come and should have, of all that its receiver counts as overdue: behind a stream's end nothing may
  /// have been sent.
  func overdueSamples(_ statistics: JitterBufferStatistics) -> Int {
    hasStream ? statistics.overdueSamples : max(reported.overdueSamples, overdueWhenMuted ?? 0)
  }

  mutating func leave() -> [RemoteAudioStateMachine.Change] { machine.leave() }

  /// A report has been made of it.
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

  /// Lets time pass up to the beginning of a tick: before what was counted by then is read. Otherwise it may wait for
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
