public import Engine
import NetworkIO
import Platform
public import Signalling

/// Joins channels of a relay: remote users become users of a pipeline, and the local source is published.
///
///     local source ─▶ pipeline ─▶ packets ═▶ relay
///     pipeline ◀─ user by user ◀═ packets ◀═ relay
///
/// ```swift
/// let engine = try RtcEngine(appID: "demo", relay: "wss://relay.example:4000")
/// try engine.pipeline.setLocalSource(.file("talk.wav"))
/// try engine.pipeline.addSink(.file("heard.wav"), at: .playback)
/// let token = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
/// try await engine.join(channel: "lobby", token: token, user: .uid(7), options: .broadcaster)
/// try await Task.sleep(for: .seconds(60))
/// engine.leave()
/// engine.destroy()
/// ```
/// Thread: any.
public final class RtcEngine: Sendable {
  /// The sound: sources, sinks, observers, effects, music and recordings. Users of a channel have its name as channel
  /// id.
  public let pipeline: AudioPipeline
  let state: Guarded<State>
  let appID: AppID
  let relay: String
  let options: RtcEngineOptions
  let loop: ChannelLoop
  let delivery: EventDelivery
  let recordingEnds = RecordingEnds()
  /// Held while the state of the local sound goes to the pipeline or to the channels, so that the newest one is last.
  let localSound = Guarded<Void>(())

  struct State {
    var main: RtcConnection?
    var others: [RtcConnection] = []
    /// Sessions that the program has opened.
    var sessions: [RtcSession] = []
    var preloadCalls = PreloadCalls()
    /// Accounts with a uid that the delegate awaits.
    var registered: Set<String> = []
    var echoTest: EchoTest?
    /// Mutes of the main channel, which outlive it.
    var mutes = ChannelSettings()
    var role = WantedRole()
    var profile = ChannelProfile.live
    /// Files of the recordings that the engine has begun.
    var recordings: Set<String> = []
    var statistics: CallStatistics?
    /// Whether the engine has made the pipeline, and starts it.
    let ownsPipeline: Bool
    var isStarted = false
    var isDestroyed = false
    /// The program's end destroys the engine.
    var endAction: Program.EndAction?
    weak var delegate: (any RtcEngineDelegate)?

    /// All connections but those of an echo test.
    var joined: [RtcConnection] { [main].compactMap(\.self) + others }
  }

  /// Creates an engine. It opens no socket before the first join.
  ///
  /// - Parameters:
  ///   - appID: App of the channels; other apps never hear it.
  ///   - relay: Address of the relay's WebSocket, such as `wss://relay.example:4000`.
  ///   - pipeline: Live pipeline at 48 kHz, which the program starts; nil: the engine makes and starts one.
  ///   - options: Options of the engine.
  ///   - delegate: Receives the events of the main channel, and those of devices; the engine does not retain it.
  /// - Throws: `ChannelError` with code `.invalidArgument` for an address, app id or pipeline that cannot be used.
  public init(
    appID: String, relay: String, pipeline: AudioPipeline? = nil, options: RtcEngineOptions = RtcEngineOptions(),
    delegate: (any RtcEngineDelegate)? = nil
  ) throws(ChannelError) {
    guard let id = AppID(appID) else {
      throw ChannelError(.invalidArgument, "an app id has \(AppID.rule); \(AppID.fault(in: appID))")
    }
    do throws(WebSocketError) { _ = try WebSocketURL(relay) } catch {
      throw ChannelError(.invalidArgument, error.description)
    }
    self.appID = id
    self.relay = relay
    self.options = options
    if let pipeline {
      self.pipeline = pipeline
    } else {
      do throws(EngineError) { self.pipeline = try AudioPipeline(mode: .live) } catch {
        throw ChannelError(.notReady, error.message)
      }
    }
    let isStepped = options.environment.isStepped
    guard self.pipeline.options.isOffline == isStepped, self.pipeline.options.sampleRate == 48_000 else {
      throw ChannelError(.invalidArgument, "a channel needs a live pipeline at 48000 Hz; make it with mode: .live")
    }
    loop = ChannelLoop(clock: options.clock, isStepped: isStepped)
    delivery = EventDelivery(options.executor)
    state = Guarded(State(ownsPipeline: pipeline == nil, delegate: delegate))
    self.pipeline.onEvent { [weak self] in self?.take($0.kind) }
    // Not at once: a change of the pipeline may come from the loop, under its lock.
    self.pipeline.onLocalChange(of: self) { [weak self, delivery] in
      delivery.post { [weak self] in self?.takeLocalChange() }
    }
    if !isStepped {
      let action = Program.onEnd { [weak self] in self?.destroy() }
      state.withLock { $0.endAction = action }
    }
    post { $0.rtcEngineMediaEngineDidLoaded($1) }
  }

  deinit { destroy() }

  // MARK: The main channel

  /// Joins a channel, and waits until it is joined.
  ///
  /// - Parameters:
  ///   - channel: Name of the channel, 1 to 64 bytes.
  ///   - token: Token of the app's server; empty at a relay that allows the app id alone.
  ///   - user: Name of the local user.
  ///   - options: Options of the channel.
  ///   - timeout: Longest time until the channel is joined; nil: 20 minutes, as after a loss.
  /// - Throws: `.alreadyInChannel`, `.channelName`, `.user`, the relay's refusal, or `.general` with the reason why the
  ///   relay was not reached.
  @discardableResult
  public func join(
    channel: String, token: String, user: RtcUser = .uid(0), options: ChannelMediaOptions = ChannelMediaOptions(),
    timeout: Duration? = .seconds(10)
  ) async throws(ChannelError) -> JoinedChannel {
    try await waitForResult { completion throws(ChannelError) in
      try startMain(channel, token, user, options, timeout: timeout, hidesJoin: false, completion)
    }
  }

  /// Joins a channel, and calls a closure once it is joined, or has failed. With a closure the delegate gets no
  /// `didJoinChannel`. Without a timeout attempts continue for 20 minutes.
  ///
  /// - Throws: `.alreadyInChannel`, `.channelName`, `.user`.
  public func join(
    channel: String, token: String, user: RtcUser = .uid(0), options: ChannelMediaOptions = ChannelMediaOptions(),
    timeout: Duration? = nil, completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try startMain(channel, token, user, options, timeout: timeout, hidesJoin: completion != nil, completion)
  }

  /// Leaves the main channel and all others, and returns before that is done; the events follow.
  ///
  /// - Parameters:
  ///   - options: Sound of the pipeline that ends, too.
  ///   - completion: Called with the newest statistics once the main channel is left, at once without one, and never
  ///     behind `destroy`. With a closure the delegate gets no `didLeaveChannel`.
  public func leave(
    _ options: LeaveOptions = LeaveOptions(), completion: (@Sendable (CallStatistics?) -> Void)? = nil
  ) {
    if options.stopsMusic { try? pipeline.music.stop() }
    if options.stopsEffects { pipeline.effects.stopAll() }
    let (main, others) = state.withLock { state in
      defer { state.others = [] }
      return (state.main, state.others)
    }
    if let main {
      main.leave(options, completion: completion)
    } else if let completion {
      delivery.post { completion(nil) }
    }
    for connection in others { connection.leave(options) }
    // The last: a disk may be slow.
    if options.stopsRecordings { endRecordings() }
  }

  /// Receives the events of the main channel, and those of devices; the engine does not retain it. It can be set at any
  /// time.
  public var delegate: (any RtcEngineDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let main = state.withLock { state in
        state.delegate = newValue
        return state.main
      }
      main?.delegate = newValue
    }
  }

  /// The main channel; nil before the first join.
  public var connection: RtcConnection? { state.withLock { $0.main } }

  /// Users of the main channel, by uid in ascending order.
  public var users: [ChannelUser] { connection?.users ?? [] }

  /// Newest statistics of the call; nil before the first.
  public var callStatistics: CallStatistics? { state.withLock { $0.statistics } }

  // MARK: The end

  /// Ends the engine: all channels are left, and no further event follows. A pipeline of the program continues.
  public func destroy() {
    let ending = state.withLock { state -> [RtcConnection]? in
      guard !state.isDestroyed else { return nil }
      state.isDestroyed = true
      state.endAction?.cancel()
      defer { (state.main, state.others, state.echoTest) = (nil, [], nil) }
      return state.joined + (state.echoTest?.connections ?? [])
    }
    guard let ending else { return }
    delivery.stop()
    for session in state.withLock({ $0.sessions }) {
      session.end(.destroyed)
    }
    for connection in ending {
      connection.end(.destroyed)
      connection.leave(LeaveOptions(stopsMicrophone: false))
    }
    let stopsPipeline = state.withLock { $0.ownsPipeline && $0.isStarted }
    // An own pipeline ends with its microphone closed.
    if !stopsPipeline { localSound.withLock { _ in pipeline.removeOwner(self) } }
    loop.stop()
    // The last, since the loop takes preloads until its end.
    for call in state.withLock({ $0.preloadCalls.takeAll() }) {
      call(.failure(.destroyed))
    }
    // Else the end of the pipeline completes its files.
    if !stopsPipeline { endRecordings() }
    recordingEnds.wait(atMost: .seconds(10))
    if stopsPipeline { pipeline.stop() }
  }
}
