import Calls
import CommandLineKit
import Engine
import JSON
import OfflineProcessing
import Platform

/// News of a call: lines for programs, messages for people, and the state for the command.
///
/// Thread: any but the audio thread.
final class CallLines: CallListener {
  /// News so far.
  struct News: Sendable {
    var state = CallState.idle
    var reason = CallStateReason.none
    /// Text of the other user with the reason, or the sentence of a fault.
    var text = ""
    /// Caller of the call that rings; nil without one.
    var caller: UInt32?
    /// Whether a call was accepted.
    var hasAccepted = false
    var isConnected = false
    var room: String?
    var durationMilliseconds: Int64?
    var error: CallError?
  }

  private let lines: TimedLines
  private let log: Log
  private let state = Guarded(News())

  /// Creates the lines; without an output, nothing is written.
  init(_ output: StandardOutput?, _ log: Log) {
    lines = TimedLines(output)
    self.log = log
  }

  var news: News { state.withLock { $0 } }

  /// Writes a line.
  func write(_ event: String, _ body: (inout JSONWriter) -> Void = { _ in }) {
    lines.write(event, body)
  }

  /// Writes an event of the pipeline about a recording or a device.
  func take(_ event: PipelineEvent) {
    switch event.kind {
    case .recordingStarted, .recordingFailed, .localAudioState, .audioRoute, .deviceState:
      lines.write(event.kind)
    default: break
    }
  }

  /// Throws 74 if lines could not be written.
  func check() throws(CommandFailure) { try lines.check() }

  // MARK: News

  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    self.state.withLock { news in
      news.state = state
      // The reason of the call's end stays.
      if state != .idle { news.reason = reason }
      if state != .idle { news.text = eventReason }
      if state == .connecting { news.hasAccepted = true }
      if state == .calling {
        news.caller = eventInfo["remoteUserId"].flatMap { UInt32($0) }
      }
    }
    write("onCallStateChanged") { json in
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
      if !eventReason.isEmpty { json.field("event_reason", eventReason) }
      guard !eventInfo.isEmpty else { return }
      json.object("event_info") { json in
        for (key, value) in eventInfo.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
      }
    }
    if state == .calling, let caller = eventInfo["remoteUserId"] { log.info("user \(caller) calls") }
  }

  func onCallEventChanged(_ event: CallEvent, reason: String?) {
    write("onCallEventChanged") { json in
      json.field("number", event.rawValue)
      if let reason { json.field("reason", reason) }
    }
  }

  func onCallError(_ event: CallErrorEvent, type: CallErrorType, code: Int, message: String) {
    state.withLock { $0.error = CallError(type, code: code, message) }
    write("onCallError") { json in
      json.field("number", event.rawValue)
      json.field("type", type.rawValue)
      json.field("code", code)
      json.field("message", message)
    }
  }

  func onCallConnected(roomID: String, callUserID: UInt32, currentUserID: UInt32, timestamp: Int64) {
    state.withLock { news in
      news.isConnected = true
      news.room = roomID
    }
    write("onCallConnected") { json in
      json.field("room", roomID)
      json.field("call_uid", Int(callUserID))
      json.field("uid", Int(currentUserID))
      json.field("timestamp", Int(timestamp))
    }
    log.info("the call is connected")
  }

  func onCallDisconnected(
    roomID: String, hangupUserID: UInt32, currentUserID: UInt32, timestamp: Int64, duration: Int64
  ) {
    state.withLock { $0.durationMilliseconds = duration }
    write("onCallDisconnected") { json in
      json.field("room", roomID)
      json.field("hangup_uid", Int(hangupUserID))
      json.field("uid", Int(currentUserID))
      json.field("timestamp", Int(timestamp))
      json.field("duration_ms", Int(duration))
    }
  }

  func tokenPrivilegeWillExpire() { log.warning("the token expires within 30 s") }

  func callDebugInfo(_ message: String, level: CallLogLevel) {
    switch level {
    case .normal: log.debug(message)
    case .warning, .error: log.warning(message)
    }
  }
}
