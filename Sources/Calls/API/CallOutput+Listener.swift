extension CallOutput {
  /// Calls the method of a listener for news; other outputs have none.
  func notify(_ listener: any CallListener, user: UInt32) {
    switch self {
    case .state(let state, let reason, let eventReason, let info):
      listener.onCallStateChanged(state, reason: reason, eventReason: eventReason, eventInfo: info)
    case .event(let event, let reason): listener.onCallEventChanged(event, reason: reason)
    case .error(let event, let error):
      listener.onCallError(event, type: error.type, code: error.code, message: error.message)
    case .connected(let room, let caller, let time):
      listener.onCallConnected(roomID: room, callUserID: caller, currentUserID: user, timestamp: time)
    case .disconnected(let room, let hangupUser, let time, let duration):
      listener.onCallDisconnected(
        roomID: room, hangupUserID: hangupUser, currentUserID: user, timestamp: time, duration: duration)
    case .debug(let line, let level): listener.callDebugInfo(line, level: level)
    case .send, .preload, .join, .open, .leave, .release, .renew, .askEarlyJoin, .complete, .over: break
    }
  }
}
