import Calls
import Platform
import Signalling

/// The one-to-one calls of a simulated user: its session at the relay, and its `CallAPI`.
///
/// Thread: the simulation's.
final class UserCalls: CallListener {
  private struct State {
    /// Preparations that wait for the session; nil once it is open.
    var waiting: [PrepareConfig]? = []
    var isOpening = false
    /// The other user of the newest call.
    var peer: UInt32 = 0
  }

  private let uid: UInt32
  private let token: String
  private let engine: RtcEngine
  private let report: @Sendable (CallNews) -> Void
  private let calls = CallAPI()
  private let state = Guarded(State())

  /// - Parameter report: Takes the news.
  init(_ uid: UInt32, _ engine: RtcEngine, report: @escaping @Sendable (CallNews) -> Void) {
    self.uid = uid
    self.engine = engine
    self.report = report
    token = SimulatedRelay.makeToken(of: uid, for: .anyChannel, role: .broadcaster).text
    calls.addListener(self)
  }

  /// Carries out an action of a script.
  func apply(_ action: ScriptAction) {
    let outcome = outcome(of: action.name)
    let peer = state.withLock { $0.peer }
    switch action {
    case .prepare(_, let room, let timeout, let text):
      prepare(
        PrepareConfig(
          roomID: room?.text ?? "", rtcToken: token, callTimeoutMilliseconds: timeout, userExtension: text))
    case .call(_, let callee, let text):
      let wasPrepared = calls.callState == .prepared
      calls.call(callee, type: .audio, callExtension: text, completion: outcome)
      // A refused call changes nothing.
      if wasPrepared, calls.callState == .calling { state.withLock { $0.peer = callee } }
    case .accept: calls.accept(peer, completion: outcome)
    case .reject(_, let reason): calls.reject(peer, reason: reason, completion: outcome)
    case .hangup(_, let reason): calls.hangup(peer, reason: reason, completion: outcome)
    case .cancel: calls.cancelCall(completion: outcome)
    default: preconditionFailure("'\(action.name.rawValue)' is not an action of calls")
    }
  }

  /// Time at which `step` is due, by the user's own time; nil if nothing waits.
  var nextDeadlineNanoseconds: Int? { calls.nextDeadlineNanoseconds }

  /// Does the work that is due.
  func step() { calls.step() }

  // MARK: Session

  private func prepare(_ config: PrepareConfig) {
    let (isOpen, opens) = state.withLock { state in
      state.waiting?.append(config)
      guard state.waiting != nil, !state.isOpening else { return (state.waiting == nil, false) }
      state.isOpening = true
      return (false, true)
    }
    if isOpen { calls.prepareForCall(config, completion: outcome(of: .prepare)) }
    guard opens else { return }
    do throws(ChannelError) {
      try engine.openSession(token: token, user: .uid(uid)) { [weak self] result in self?.opened(result) }
    } catch {
      opened(.failure(error))
    }
  }

  private func opened(_ result: Result<RtcSession, ChannelError>) {
    switch result {
    case .success(let session):
      do throws(CallError) {
        try calls.initialize(CallConfig(userID: uid, engine: engine, signalClient: RelaySignalClient(session)))
        let waiting = state.withLock { $0.waiting.take() } ?? []
        for config in waiting { calls.prepareForCall(config, completion: outcome(of: .prepare)) }
      } catch {
        fail(error)
      }
    case .failure(let error): fail(CallError(.rtc, code: error.code.rawValue, error.message))
    }
  }

  /// Completes the preparations that wait; the next one opens the session again.
  private func fail(_ error: CallError) {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.isOpening) = ([], false) }
      return state.waiting ?? []
    }
    for _ in waiting { report(.outcome(.prepare, error)) }
  }

  private func outcome(of action: ScriptActionName) -> CallAPI.Completion {
    { [report] result in
      let error: CallError? = if case .failure(let error) = result { error } else { nil }
      report(.outcome(action, error))
    }
  }

  // MARK: News

  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    if let peer = eventInfo["remoteUserId"].flatMap({ UInt32($0) }) { self.state.withLock { $0.peer = peer } }
    report(.stateChanged(state, reason, eventReason: eventReason, eventInfo: eventInfo))
  }

  func onCallEventChanged(_ event: CallEvent, reason: String?) { report(.event(event, reason: reason)) }

  func onCallError(_ event: CallErrorEvent, type: CallErrorType, code: Int, message: String) {
    report(.error(event, CallError(type, code: code, message)))
  }

  func onCallConnected(roomID: String, callUserID: UInt32, currentUserID: UInt32, timestamp: Int64) {
    report(.connected(room: roomID, callUserID: callUserID))
  }

  func onCallDisconnected(
    roomID: String, hangupUserID: UInt32, currentUserID: UInt32, timestamp: Int64, duration: Int64
  ) {
    report(.disconnected(room: roomID, hangupUserID: hangupUserID, durationMilliseconds: Int(duration)))
  }
}
