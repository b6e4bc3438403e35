import Platform

/// One-to-one calls: ring, accept, talk and hang up, with messages over the relay or another channel.
///
///     caller                                       callee
///     call(7) ──── call ─────────────────────────▶ state calling(33)
///     event 99 ◀── acknowledged                     accept(5)
///     state connecting(7) ◀── accept ───────────── state connecting(8)
///     joins the preloaded room                      joins the preloaded room
///     state connected(13) ◀═══════ sound ═════════▶ state connected(13)
///
/// ```swift
/// let engine = try RtcEngine(appID: "demo", relay: "wss://relay.example:4000")
/// let token = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
/// let session = try await engine.openSession(token: token, user: .uid(5))
/// let calls = CallAPI()
/// try calls.initialize(CallConfig(userID: 5, engine: engine, signalClient: RelaySignalClient(session)))
/// try await calls.prepareForCall(PrepareConfig(roomID: "call-5-1", rtcToken: token))
/// try await calls.call(7)
/// ```
/// Thread: any. Completions and listeners are called on the thread or executor of the engine's delegates. Source of
/// names and numbers: the call interfaces of commercial voice SDKs.
public final class CallAPI: Sendable {
  private struct State {
    var session: CallSession?
    /// Sessions with messages under way.
    var ending: [CallSession] = []
    var blocked: Set<UInt32> = []
  }

  private let state = Guarded(State())
  private let listeners = WeakList<any CallListener>()

  /// Creates calls that are not initialized yet.
  public init() {}

  deinit { deinitialize() }

  // MARK: Beginning and end

  /// Begins to take calls; the microphone of the engine's pipeline stays closed until a call is accepted, unless a
  /// channel of the engine uses it. A second call is ignored, and told to `callDebugInfo` as a warning.
  ///
  /// - Throws: An error of type `.normal` for uid 0 or another app than the engine's, of type `.rtc` behind the
  ///   engine's end.
  public func initialize(_ config: CallConfig) throws(CallError) {
    guard config.userID != 0 else {
      throw CallError(.invalidArgument, "uid 0 is nobody's; initialize calls with a uid from 1")
    }
    guard config.appID ?? config.engine.appName == config.engine.appName else {
      throw CallError(.invalidArgument, "the app of the calls is not that of the engine; give the same app id to both")
    }
    guard !config.engine.isDestroyed else {
      throw CallError(.destroyed)
    }
    let result = state.withLock { state -> Result<CallSession?, CallError> in
      if let session = state.session { return .success(session) }
      do throws(CallError) { state.session = try CallSession(config, listeners) } catch { return .failure(error) }
      return .success(nil)
    }
    guard let known = try result.get() else { return begin() }
    known.debugInfo("initialize is called again, and ignored; deinitialize first", level: .warning)
  }

  private func begin() {
    let (session, blocked) = state.withLock { ($0.session, $0.blocked) }
    session?.take { machine, now in machine.block(blocked, now) }
    session?.start()
  }

  /// Ends the calls: one that rings is cancelled or rejected, one that was accepted is hung up.
  ///
  /// - Parameter completion: Called once the other user has the message, or after 5 s; at once without `initialize`.
  public func deinitialize(completion: (@Sendable () -> Void)? = nil) {
    let session = state.withLock { state in
      state.ending.removeAll(where: \.isOver)
      if let session = state.session { state.ending.append(session) }
      defer { state.session = nil }
      return state.session
    }
    guard let session else {
      completion?()
      return
    }
    session.endReceiving()
    // The completion keeps the session until then, also without this interface.
    session.call({ _ in withExtendedLifetime(session) { completion?() } }) { machine, number, now in
      machine.deinitialize(completion: number, now)
    }
  }

  /// Replaces the token of the rooms: one for any channel (`*`). The session of a `RelaySignalClient` has its own.
  public func renewToken(_ token: String) {
    guard let session = current else { return }
    session.take { machine, _ in machine.renew(token) }
    // Preloads with a token of one channel alone stay as they are.
    try? session.engine.updatePreloadChannelToken(token)
  }

  /// Blocks users: their calls do not ring, and are not answered; one that rings is rejected. It replaces the former
  /// users, and outlives `deinitialize`.
  public func setBlockedUsers(_ users: Set<UInt32>) {
    state.withLock { $0.blocked = users }
    current?.take { machine, now in machine.block(users, now) }
  }

  /// Adds a listener; it is not retained. One that is there already is not added again.
  public func addListener(_ listener: any CallListener) { listeners.add(listener) }

  /// Removes a listener.
  public func removeListener(_ listener: any CallListener) { listeners.remove(listener) }

  // MARK: State

  /// Id of the call that rings, connects or is connected; empty without one.
  public func getCallId() -> String { current?.callID ?? "" }

  /// State of the calls; idle before `initialize`.
  public var callState: CallState { current?.callState ?? .idle }

  // MARK: Internal

  /// Time of the next `step`, for a stepped engine; nil if nothing waits.
  package var nextDeadlineNanoseconds: Int? { sessions.compactMap(\.nextDeadline).min() }

  /// Serves the deadlines, for a stepped engine.
  package func step() {
    for session in sessions { session.poll() }
  }

  private var sessions: [CallSession] { state.withLock { $0.ending + [$0.session].compactMap(\.self) } }

  var current: CallSession? { state.withLock { $0.session } }
}
