public import Calls

/// News of a user's one-to-one calls, as its `CallListener` gets them, without times of the calendar.
public enum CallNews: Hashable, Sendable {
  /// The calls have another state; the event reason is empty without one.
  case stateChanged(CallState, CallStateReason, eventReason: String, eventInfo: [String: String])
  /// An event has happened.
  case event(CallEvent, reason: String?)
  /// An error has happened.
  case error(CallErrorEvent, CallError)
  /// The users hear each other.
  case connected(room: String, callUserID: UInt32)
  /// A connected call has ended.
  case disconnected(room: String, hangupUserID: UInt32, durationMilliseconds: Int)
  /// An action of the script has an outcome; nil: without an error.
  case outcome(ScriptActionName, CallError?)
}
