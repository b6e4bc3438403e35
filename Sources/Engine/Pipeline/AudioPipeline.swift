public import AudioGraph
import FrameObservers
import MediaStreams
import Playback
import Synchronization

/// The audio of one listener: remote users, its own voice, music, and every position at which a program can observe.
///
///     users ▶ uplink ▶ (RECORD) ▶ codec ▶ (BEFORE MIXING) ▶ gain, pan ▶ mix ▶ (PLAYBACK) ▶ + own voice ▶ (MIXED)
///
/// Build it and register observers. Then call `run()` (offline, as fast as possible or paced by a clock), or `start()`
/// and `stop()` (live, on its own thread). Users, observers and levels can change while it runs; a change is one
/// crossfaded frame.
///
/// ```swift
/// let pipeline = try AudioPipeline(mode: .offline)
/// try pipeline.addSpeaker(1, from: .file("talk.wav"))
/// try pipeline.addSink(.file("out.wav"))
/// try pipeline.modify(.record) { frame, origin in
///   if origin.uid == 1 { frame.mute() }
/// }
/// try await pipeline.run()
/// ```
///
/// Thread: any; calls are serialized. An observer's call may use only setters, masks and `remove`.
public final class AudioPipeline: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): everything mutable is reached with `lock` held, except data that is handed to the
  // audio thread through the runner, rings and atomics.

  /// Settings of the pipeline.
  public let options: PipelineOptions
  /// Rung by sources, sinks and asynchronous observers when a tick may have become possible.
  package let bell = Doorbell()
  /// Durations of ticks. They influence no sample. Empty in an analysis of a file without observers.
  public let tickCost = DurationHistogram()

  let lock = Guarded<Void>(())
  let core: PipelineCore
  let userStates: UsersState
  let sounds: SoundsState
  let voicePitch: VoicePitchState
  let volume: VolumeState
  let speech: SpeechState
  let recording: RecordingState
  let playout: PlayoutState
  let devices: DevicesState
  let streams: StreamsState
  /// All features except the users, in the order in which an edit reconciles them.
  let features: FeatureList
  var sinks: [any AudioSink] = []
  /// Sinks that the pipeline has created and completes.
  var ownSinks: [any AudioSink] = []
  /// Sources that the pipeline has created, until they end.
  var ownSources: [OwnSource] = []
  /// Every source; the driver checks them before each tick.
  var sources = ConnectedSources()
  var frameStreams: [FrameStream] = []

  /// Creates a pipeline without users.
  ///
  /// - Throws: `EngineError` with code `.invalidArgument` if rate or channel count are out of range.
  public init(_ options: PipelineOptions) throws(EngineError) {
    self.options = options
    let core = try PipelineCore(options, bell: bell)
    let userStates = UsersState(core)
    var features = FeatureList()
    sounds = features.add(SoundsState(core, users: userStates))
    voicePitch = features.add(VoicePitchState(core, users: userStates))
    volume = features.add(VolumeState(core, users: userStates, pitch: voicePitch))
    speech = features.add(SpeechState(core, users: userStates))
    recording = features.add(RecordingState(core, users: userStates))
    playout = features.add(PlayoutState(core, users: userStates, sounds: sounds))
    devices = features.add(DevicesState(core, users: userStates))
    streams = features.add(StreamsState(core, users: userStates, devices: devices, sounds: sounds))
    self.core = core
    self.userStates = userStates
    self.features = features
  }

  /// Creates a pipeline without users.
  ///
  /// - Throws: `.invalidArgument` if rate or channel count are out of range.
  public convenience init(
    mode: PipelineOptions.Mode = .live, sampleRate: Int = 48_000, channelCount: Int = 2, channelID: String = ""
  ) throws(EngineError) {
    try self.init(
      PipelineOptions(mode: mode, sampleRate: sampleRate, channelCount: channelCount, channelID: channelID))
  }

  /// Number of ticks that were late by more than a frame, live. Thread: any.
  public var lateTickCount: Int { core.run.lateTicks.load(ordering: .relaxed) }

  /// Whether the live audio thread has a real-time priority. If the system refuses it, ticks can be late whenever the
  /// machine is busy; an `rtprio` limit or CAP_SYS_NICE allows it. Thread: any.
  public var hasRealTimePriority: Bool { core.run.isRealTime.load(ordering: .acquiring) }

  /// Ticks rendered so far. Thread: any.
  public var tickCount: Int { core.tickCount }

  /// Changes the graph under the lock, and brings the change to the audio thread if there is one.
  ///
  /// An edit is refused before its first change: a half-edited graph would not compile any more.
  ///
  /// - Parameters:
  ///   - what: Beginning of the message for an error that is not the engine's own.
  ///   - call: Name of the edit in the log.
  ///   - body: The edit.
  func edit<Result>(_ what: String, call: String = #function, _ body: () throws -> Result) throws(EngineError) -> Result
  {
    try set(what, call: call) {
      features.collect()
      let result = try body()
      try applyEdit()
      return result
    }
  }

  /// Brings the edited graph to the audio thread, if there is one. Under the lock.
  func applyEdit() throws {
    try features.reconcile(graph: core.graph)
    reconcileListening()
    sources.replace(
      users: userStates.order.compactMap { userStates.remote[$0]?.source }
        + (userStates.local.map { [$0.source] } ?? []),
      sounds: sounds.music.map(\.source), now: core.nowPosition)
    // Before the plan that may raise the level.
    updateArming()
    if core.run.isInstalled { try core.runner.install(core.graph) }
  }

  /// Sets parameters under the lock; the plan stays as it is.
  func set<Result>(_ what: String, call: String = #function, _ body: () throws -> Result) throws(EngineError) -> Result
  {
    do {
      let (result, hasLocalNews) = try lock.withLock { _ in
        core.run.edits.wrappingAdd(1, ordering: .relaxed)
        let result = try body()
        return (result, userStates.takeLocalNews())
      }
      if hasLocalNews { reportLocalChange() }
      core.log.write(.info, "\(call) at tick \(core.tickCount)")
      return result
    } catch {
      let wrapped = error as? EngineError ?? EngineError(.invalidArgument, "\(what): \(error)", cause: error)
      core.log.write(.error, "\(call) at tick \(core.tickCount): \(wrapped.code.rawValue), \(wrapped.message)")
      throw wrapped
    }
  }
}
