/// News of the room. Those of an earlier join count no longer.
extension CallMachine {
  /// Takes the success of a join.
  mutating func joined(_ attempt: Int, _ now: Int) {
    guard ongoing?.attempt == attempt else { return }
    ongoing?.isJoined = true
    // The other user may have left meanwhile; if it is there, its arrival follows.
    if state == .connected, let count = ongoing?.rejoinCount, count > 0 {
      ongoing?.absenceDeadline = now + CallTimes.absence
    }
    stays.insert(attempt)
    emit(.event(.joinRTCSucceeded, reason: nil))
    emit(.event(.localJoined, reason: nil))
  }

  /// Takes the end of a join, or of a stay in a room.
  mutating func left(_ attempt: Int) {
    if stays.remove(attempt) != nil { emit(.event(.localLeft, reason: nil)) }
    finishEnding()
  }

  /// Takes the failure of a join, or of a room that was joined.
  mutating func failed(_ attempt: Int, _ error: ChannelError, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt else { return }
    emit(.error(.rtcOccurError, CallError(error)))
    guard state != .calling else { return leaveRoom(attempt) }
    send(.hangup(CallMessage.End(.failed)), of: call, now)
    end(.joinRTCFailed, nil, text: error.message, hangupUser: user, now)
  }

  /// Takes the news that another session of this user has joined the room. The caller ends all but one, which joins
  /// again.
  mutating func replaced(_ attempt: Int, _ error: ChannelError, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt else { return }
    guard state != .calling, !call.isCaller, call.rejoinCount < 3 else { return failed(attempt, error, now) }
    leaveRoom(attempt)
    ongoing?.rejoinCount += 1
    ongoing?.absenceDeadline = now + CallTimes.connecting
    ongoing?.rejoinTime = now + CallTimes.rejoin
  }

  /// Leaves the room, and keeps the call: the acceptance or a later time joins again.
  private mutating func leaveRoom(_ attempt: Int) {
    ongoing?.attempt = nil
    ongoing?.lossDeadline = nil
    ongoing?.isPeerMuted = false
    emit(.leave(attempt: attempt))
  }

  /// Takes the loss of the connection to the relay.
  mutating func interrupted(_ attempt: Int, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt, call.isJoined, state != .calling else { return }
    if call.lossDeadline == nil { ongoing?.lossDeadline = now + CallTimes.loss }
  }

  /// Takes the return of the connection to the relay.
  mutating func recovered(_ attempt: Int) {
    if ongoing?.attempt == attempt { ongoing?.lossDeadline = nil }
  }

  /// Takes the other user's arrival.
  mutating func peerJoined(_ attempt: Int, _ uid: UInt32) {
    guard let call = ongoing, call.attempt == attempt else { return }
    guard call.peer == uid else {
      guard call.strangers.count < 16, ongoing?.strangers.insert(uid).inserted == true else { return }
      return emit(.debug("user \(uid) is in the room of the call, too; it hears the call, and is not heard", .warning))
    }
    ongoing?.absenceDeadline = nil
    emit(.event(.remoteJoined, reason: nil))
  }

  /// Takes the other user's departure.
  mutating func peerLeft(_ attempt: Int, _ uid: UInt32, _ reason: OfflineReason, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt, call.peer == uid, reason != .becameAudience else { return }
    emit(.event(.remoteLeft, reason: "\(reason.rawValue)"))
    guard state != .calling else { return }
    if reason == .dropped {
      endAbsence(of: call, "the user was lost", now)
    } else {
      ongoing?.isPeerMuted = false
      // Its message of the end may be on its way, or another of its sessions takes its place.
      ongoing?.absenceDeadline = now + CallTimes.absence
    }
  }

  /// Ends a call after the other user is gone. That user may be back, and learns of the end by a message.
  mutating func endAbsence(of call: OngoingCall, _ text: String, _ now: Int) {
    send(.hangup(CallMessage.End(.failed)), of: call, now)
    end(.remoteHangup, nil, text: text, now)
  }

  /// Takes the other user's mute. A user that stays muted sends no frame, and is connected without one.
  mutating func peerMuted(_ attempt: Int, _ uid: UInt32, _ isMuted: Bool, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt, call.peer == uid, !call.hasHeard else { return }
    ongoing?.isPeerMuted = isMuted
    ongoing?.mutedTime = now
  }

  /// Takes the first decoded frame of the other user.
  mutating func heardPeer(_ attempt: Int, _ uid: UInt32, _ now: Int) {
    guard let call = ongoing, call.attempt == attempt, call.peer == uid, !call.hasHeard else { return }
    ongoing?.hasHeard = true
    ongoing?.isPeerMuted = false
    becomeConnected(now)
    emit(.event(.recvRemoteFirstFrame, reason: nil))
  }

  /// Takes the first frame of the local user.
  mutating func published(_ attempt: Int) {
    guard ongoing?.attempt == attempt else { return }
    emit(.event(.publishFirstLocalAudioFrame, reason: nil))
  }

  /// Takes a fault of the capture device.
  mutating func captureFailed(code: Int, _ message: String) {
    guard state == .connecting || state == .connected else { return }
    emit(.error(.startCaptureFail, CallError(.rtc, code: code, message)))
  }
}
