public import AudioGraph
import Effects
import FrameObservers
import MediaStreams
import Playback
import Synchronization

/// The audio of one listener: remote users, its own voice, music, and every position where a program can look.
///
///     users ▶ uplink ▶ (RECORD) ▶ codec ▶ (BEFORE MIXING) ▶ gain, pan ▶ mix ▶ (PLAYBACK) ▶ + own voice ▶ (MIXED)
///
/// Build it, register observers, then either `runToEnd()` (offline, as fast as possible or paced by a clock) or
/// `start()` and `stop()` (live, on a thread of its own). Users, observers and levels can change while it runs; a
/// change is one crossfaded frame.
///
/// Thread: any; calls are serialised. From within an observer's call only setters, masks and `remove` may be used.
public final class AudioPipeline: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): everything mutable is reached with `lock` held, except what is handed to the
  // audio thread through the runner, rings and atomics.

  /// How the pipeline was made.
  public let options: PipelineOptions
  /// Rung by sources, sinks and asynchronous observers when a tick may have become possible.
  public let bell = Doorbell()

  let runner: GraphRunner
  package let schedule: FrameSchedule
  /// How long ticks took. Its figures influence no sample. Empty in an analysis of a file without observers.
  public let tickCost = CostMeter()
  let lock = Guarded<Void>(())
  let graph: Graph
  let hub: ObserverHub
  let listener: ListenerGraph
  var remoteUsers: [UserKey: RemoteUser] = [:]
  var userOrder: [UserKey] = []
  /// Those of them who come over a network, in the same order.
  var receivedStreams: [(key: UserKey, source: ReceiverSource)] = []
  var localUser: LocalUser?
  var sinks: [any AudioSink] = []
  var music: [MusicTrack] = []
  /// Tracks ever added, for names that stay unique.
  var musicCount = 0
  var effects = EffectTable()
  var mixing = MusicMixing()
  /// Sounds that have ended and are still in the graph.
  var endedSounds: [EndedSound] = []
  /// Where the longest of the sounds that have left ended. Offline only.
  var soundsEnd = 0
  /// Made with the first sound.
  var prefetch: PrefetchThread?
  let hasSounds = Atomic<Bool>(false)
  var sendings: [Sending] = []
  var linkFeedback = LinkFeedbackTable()
  var streamReports = StreamReports()
  /// Whether anything is sent or received.
  let hasStreams = Atomic<Bool>(false)
  var recordings: [Recording] = []
  /// Made with the first recording.
  var recordingThread: RecordingThread?
  let hasRecordings = Atomic<Bool>(false)
  var isAudioEnabled = true
  /// What `muteAllRemoteAudioStreams` said last.
  var isEveryRemoteMuted = false
  /// Every source, for the driver to look at before each tick.
  var sources: [any AudioSource] = []
  package let knownEnd = KnownEnd()
  /// Ticks that can follow without another look, while nothing is changed. Of the thread that steps.
  var foreseenTicks = 0
  /// `edits` at that look.
  var foreseenEdits = 0
  /// Changes that were asked for so far.
  let edits = Atomic<Int>(0)
  /// Whether a run in steps goes on when every source is exhausted.
  var isEndless = false
  var isInstalled = false
  let needsSweep = Atomic<Bool>(false)
  let isRunning = Atomic<Bool>(false)
  let hasFinished = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let isRealTime = Atomic<Bool>(false)
  let lateTicks = Atomic<Int>(0)
  var streams: [FrameStream] = []
  let log: EngineLog
  let events: EventQueue
  /// Nil while volumes are not reported; `isVolumeIndicated` says so without the lock.
  var volumeMeters: VolumeMeters?
  let isVolumeIndicated = Atomic<Bool>(false)
  var voicePitchSource: (@Sendable () -> Double)?
  /// Nil while the voice's pitch is not reported; `isVoicePitchReported` says so without the lock.
  var voicePitch: VoicePitchReports?
  let isVoicePitchReported = Atomic<Bool>(false)
  let housekeepingBell = Doorbell()
  /// Measures cost only; no sample and no event depends on it.
  let meter = SystemClock()
  /// False where a tick costs little more than to look at the clock twice. Set before the first one.
  var isCostMeasured = true
  var liveThreads: [BackgroundThread] = []
  /// The thread that ticks; 0 while none does.
  let tickingThread = Atomic<UInt>(0)

  /// A pipeline without users.
  ///
  /// Throws: `EngineError` with code `.invalidArgument` when rate or channel count are out of range.
  public init(_ options: PipelineOptions) throws(EngineError) {
    self.options = options
    let log = EngineLog()
    self.log = log
    events = EventQueue(log: log)
    do {
      let format = try AudioFormat(sampleRate: options.sampleRate, channelCount: options.channelCount)
      graph = try Graph(sampleRate: format.sampleRate)
      hub = ObserverHub(graph: graph, isLossless: options.isLossless, onRelease: bell)
      listener = try ListenerGraph(format: format, channelID: options.channelID, graph: graph, hub: hub)
      runner = GraphRunner(sampleRate: format.sampleRate)
      schedule = FrameSchedule(sampleRate: format.sampleRate)
    } catch {
      throw EngineError(.invalidArgument, "the pipeline cannot be made: \(error)", cause: error)
    }
  }

  /// Ticks that were late by more than a frame, live. Thread: any.
  public var lateTickCount: Int { lateTicks.load(ordering: .relaxed) }

  /// True while the live audio thread has a real-time priority. False where the system refuses it: ticks can then be
  /// late whenever the machine is busy; allow it with an `rtprio` limit or CAP_SYS_NICE. Thread: any.
  public var hasRealTimePriority: Bool { isRealTime.load(ordering: .acquiring) }

  /// Ticks rendered so far. Thread: any.
  public var tickCount: Int { runner.tickCount }

  /// Changes the graph under the lock, and brings the change to the audio thread if there is one.
  ///
  /// What can be refused is refused before the first change: a graph half edited would not compile any more.
  ///
  /// - Parameters:
  ///   - what: how an error's sentence begins that is not the engine's own.
  ///   - call: what the log calls it.
  func edit<Result>(_ what: String, call: String = #function, _ body: () throws -> Result) throws(EngineError) -> Result
  {
    try set(what, call: call) {
      collectVoicePitch()
      collectVolumes()
      collectStreams()
      // Under its number, or in its place, another sound may begin.
      collectSounds()
      let result = try body()
      try applyEdit()
      return result
    }
  }

  /// Brings what has become of the graph to the audio thread, if there is one. Under the lock.
  func applyEdit() throws {
    try reconcileMeters()
    try reconcileVoicePitch()
    try reconcileRecordings()
    try reconcileSendings()
    reconcileStreams()
    reconcileListening()
    sources =
      userOrder.compactMap { remoteUsers[$0]?.source } + (localUser.map { [$0.source] } ?? []) + music.map(\.source)
    // Before the plan that may raise the level.
    updateArming()
    if isInstalled { try runner.install(graph) }
  }

  /// Sets parameters under the lock; the plan stays as it is.
  func set<Result>(_ what: String, call: String = #function, _ body: () throws -> Result) throws(EngineError) -> Result
  {
    do {
      let result = try lock.withLock { _ in
        edits.wrappingAdd(1, ordering: .relaxed)
        return try body()
      }
      log.write(.info, "\(call) at tick \(runner.tickCount)")
      return result
    } catch {
      let wrapped = error as? EngineError ?? EngineError(.invalidArgument, "\(what): \(error)", cause: error)
      log.write(.error, "\(call) at tick \(runner.tickCount): \(wrapped.code.rawValue), \(wrapped.message)")
      throw wrapped
    }
  }

  /// Arms limiters where the graph can raise the level, before it does.
  ///
  /// Once heard, an armed limiter stays armed: the gain is still on its way down, a user that leaves is still fading.
  func updateArming() {
    for key in userOrder {
      let isHere = key.channelID == options.channelID
      arm(remoteUsers[key]?.uplink, hasMusic: isHere && hasMusic(.published(speaker: key.uid)))
    }
    arm(localUser?.uplink, hasMusic: hasMusic(.publishedByLocalUser))
    let heard = remoteUsers.values.filter(\.isHeard)
    arm(
      listener.playbackLimiter,
      if: heard.count > 1 || heard.contains(where: \.raisesLevel) || listener.playbackGain.linearGain > 1)
    arm(
      listener.mixedLimiter,
      if: localUser?.uplink != nil || hasMusic(.loopback) || hasMusic(.publishedByLocalUser))
  }

  private func arm(_ uplink: Uplink?, hasMusic: Bool) {
    guard let uplink else { return }
    arm(uplink.limiter, if: uplink.raisesLevel || hasMusic)
  }

  private func arm(_ limiter: LimiterNode, if raisesLevel: Bool) {
    limiter.isArmed = raisesLevel || (isInstalled && limiter.isArmed)
  }
}
