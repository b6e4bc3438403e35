/// Receives the news of calls. Every method has an empty default.
///
/// Calls come in order, on the thread or executor of the engine's delegates.
public protocol CallListener: AnyObject, Sendable {
  /// Reports another state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - reason: Its reason.
  ///   - eventReason: Text of the user that has ended the call, or the sentence of an error; empty without one.
  ///   - eventInfo: With an incoming call, also a simultaneous one in connecting: `callId`, `roomId`, `remoteUserId`,
  ///     and if the caller has given them `fromUserExtension` and `callExtension`. These texts are another user's.
  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String])
  /// Reports an event; the reason is a text of the other user, or a number of the event.
  func onCallEventChanged(_ event: CallEvent, reason: String?)
  /// Reports an error.
  func onCallError(_ event: CallErrorEvent, type: CallErrorType, code: Int, message: String)
  /// Reports that the users hear each other; the timestamp is in ms since 1970.
  func onCallConnected(roomID: String, callUserID: UInt32, currentUserID: UInt32, timestamp: Int64)
  /// Reports the end of a call that was connected; the timestamp is in ms since 1970, the duration in ms.
  func onCallDisconnected(
    roomID: String, hangupUserID: UInt32, currentUserID: UInt32, timestamp: Int64, duration: Int64)
  /// Asks whether the room of a call that rings may be joined before it is accepted, which connects it sooner. No
  /// microphone is open before the acceptance. Asked at the caller and the callee; one listener that agrees is enough,
  /// and the default does not.
  ///
  /// A user with several sessions must not agree: each would end the others' stay in the room.
  func canJoinRtcOnCalling(eventInfo: [String: String]) -> Bool
  /// Reports that the token of the room expires in 30 s or less.
  func tokenPrivilegeWillExpire()
  /// Reports a line for logs, such as that of a message that was dropped.
  func callDebugInfo(_ message: String, level: CallLogLevel)
}

extension CallListener {
  public func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {}
  public func onCallEventChanged(_ event: CallEvent, reason: String?) {}
  public func onCallError(_ event: CallErrorEvent, type: CallErrorType, code: Int, message: String) {}
  public func onCallConnected(roomID: String, callUserID: UInt32, currentUserID: UInt32, timestamp: Int64) {}
  public func onCallDisconnected(
    roomID: String, hangupUserID: UInt32, currentUserID: UInt32, timestamp: Int64, duration: Int64
  ) {}
  public func canJoinRtcOnCalling(eventInfo: [String: String]) -> Bool { false }
  public func tokenPrivilegeWillExpire() {}
  public func callDebugInfo(_ message: String, level: CallLogLevel) {}
}
