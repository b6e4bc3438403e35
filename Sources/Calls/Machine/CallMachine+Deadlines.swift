/// Times of a call.
extension CallMachine {
  /// Time of the next `poll`; nil if none is needed.
  var nextDeadline: Int? {
    let call = [
      ongoing?.deadline, ongoing?.absenceDeadline, ongoing?.lossDeadline,
      state == .connecting ? ongoing?.mutedDeadline : nil, ongoing?.rejoinTime,
    ].compactMap(\.self)
    return (call + sent.values.map { min($0.deadline, $0.resendTime ?? .max) }).min()
  }

  /// Ends and repeats at their times.
  mutating func poll(_ now: Int) {
    pollMessages(now)
    guard let call = ongoing else { return }
    if let deadline = call.deadline, deadline <= now { return endTime(of: call, now) }
    if let deadline = call.absenceDeadline, deadline <= now { return endAbsence(of: call, "the user has left", now) }
    if let deadline = call.lossDeadline, deadline <= now {
      return failed(call.attempt ?? 0, ChannelError(.general, "the relay is lost for 20 s; check the network"), now)
    }
    if let deadline = call.mutedDeadline, deadline <= now { becomeConnected(now) }
    if let time = call.rejoinTime, time <= now {
      ongoing?.rejoinTime = nil
      join(isAccepted: true)
    }
  }

  /// Ends a call that was not accepted or connected in time.
  private mutating func endTime(of call: OngoingCall, _ now: Int) {
    let cause = CallMessage.End(.timeout)
    switch (state, call.isCaller) {
    case (.calling, true): send(.cancel(cause), of: call, now)
    case (.calling, false): send(.reject(cause), of: call, now)
    default: send(.hangup(cause), of: call, now)
    }
    end(.callingTimeout, .callingTimeout, now)
  }
}
