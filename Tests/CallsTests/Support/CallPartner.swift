import Platform
import TestSupport

@testable import Calls

/// A user of calls with an application that writes its news down, with times in ms.
final class CallPartner: CallListener {
  let user: UInt32
  let engine: RtcEngine
  let calls = CallAPI()
  private let session = Guarded<RtcSession?>(nil)
  private let signal = Guarded<RelaySignalClient?>(nil)
  private let entries = Guarded<[(milliseconds: Int, text: String)]>([])
  private let rooms = Guarded(0)
  /// Whether a call that rings is accepted at once.
  let accepts = Guarded(false)
  /// Whether rooms are joined before the acceptance.
  let joinsEarly = Guarded(false)

  init(_ user: UInt32, _ engine: RtcEngine) {
    (self.user, self.engine) = (user, engine)
    calls.addListener(self)
  }

  /// Opens the session at the relay, then initializes and prepares.
  func begin() throws {
    try engine.openSession(token: "", user: .uid(user)) { [self] result in
      guard let new = try? result.get() else { return note("no session") }
      let client = RelaySignalClient(new)
      session.withLock { $0 = new }
      signal.withLock { $0 = client }
      try? calls.initialize(CallConfig(userID: user, engine: engine, signalClient: client))
      prepare()
    }
  }

  /// Prepares a fresh room.
  func prepare(timeout: Int = 15_000) {
    let number = rooms.withLock { rooms in
      rooms += 1
      return rooms
    }
    calls.prepareForCall(
      PrepareConfig(
        roomID: "room-\(user)-\(number)", rtcToken: "", callTimeoutMilliseconds: timeout, userExtension: "user \(user)")
    ) { [weak self] in self?.note("prepared: \($0.text)") }
  }

  /// Closure that writes the outcome of a call down.
  func outcome(_ name: String) -> CallAPI.Completion { { [weak self] in self?.note("\(name): \($0.text)") } }

  func note(_ text: String) {
    let time = engine.clock.nowNanoseconds / 1_000_000
    entries.withLock { $0.append((time, text)) }
  }

  /// Entries without their times.
  var texts: [String] { entries.withLock { $0.map(\.text) } }

  /// States and events by their numbers: `2/33` and `143`.
  var numbers: [String] { texts.filter { $0.first?.isNumber == true } }

  /// Time of the first entry, in ms; nil without one.
  func time(of text: String) -> Int? { entries.withLock { $0.first { $0.text == text }?.milliseconds } }

  func clear() { entries.withLock { $0 = [] } }

  // MARK: News

  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    note("\(state.rawValue)/\(reason.rawValue)")
    guard state == .calling, let peer = eventInfo["remoteUserId"].flatMap({ UInt32($0) }) else { return }
    note("from \(eventInfo["fromUserExtension"] ?? "") about \(eventInfo["callExtension"] ?? "")")
    if accepts.withLock({ $0 }) { calls.accept(peer, completion: outcome("accept")) }
  }
  func onCallEventChanged(_ event: CallEvent, reason: String?) {
    note("\(event.rawValue)\(reason.map { " \($0)" } ?? "")")
  }
  func onCallError(_ event: CallErrorEvent, type: CallErrorType, code: Int, message: String) {
    note("error \(event.rawValue) \(type.rawValue) \(code) \(message)")
  }
  func onCallConnected(roomID: String, callUserID: UInt32, currentUserID: UInt32, timestamp: Int64) {
    note("connected \(roomID) by \(callUserID), I am \(currentUserID), at \(timestamp)")
  }
  func onCallDisconnected(
    roomID: String, hangupUserID: UInt32, currentUserID: UInt32, timestamp: Int64, duration: Int64
  ) {
    note("disconnected \(roomID) by \(hangupUserID), I am \(currentUserID), at \(timestamp) after \(duration)")
  }
  func canJoinRtcOnCalling(eventInfo: [String: String]) -> Bool { joinsEarly.withLock { $0 } }
  func tokenPrivilegeWillExpire() { note("token expires") }
  func callDebugInfo(_ message: String, level: CallLogLevel) { note("log \(level.rawValue) \(message)") }
}

extension Result<Void, CallError> {
  fileprivate var text: String {
    if case .failure(let error) = self { "\(error.type.rawValue) \(error.code)" } else { "ok" }
  }
}
