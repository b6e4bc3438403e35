internal import Signalling

extension RelayCore {
  /// Time without a packet after which the relay says that none come, in nanoseconds.
  static let silenceNanoseconds = 5_000_000_000

  /// Time for which dropped datagrams are a cause, in nanoseconds.
  static let dropNanoseconds = 30_000_000_000

  /// Answers why a listener hears nothing of a user, or of each user.
  func diagnose(_ request: DiagnosisRequest, _ session: Session, _ now: Int) {
    guard let listener = session.members[request.channel] else {
      refuse(session.connection, notInChannel(request.id, request.channel))
      return
    }
    var findings: [DiagnosisFinding] = []
    if let uid = request.uid {
      findings = [finding(uid, for: listener, now)]
    } else {
      let users = listener.channel.ordered.filter { $0 !== listener && $0.isVisible }
      findings = users.prefix(MessageLimits.findingCount / 2).map { finding($0.uid, for: listener, now) }
    }
    post(
      .diagnosis(DiagnosisAnswer(id: request.id, channel: request.channel, findings: findings)),
      to: session.connection)
  }

  private func finding(_ uid: UInt32, for listener: Member, _ now: Int) -> DiagnosisFinding {
    func make(_ cause: DiagnosisCause, _ sentence: String) -> DiagnosisFinding {
      DiagnosisFinding(uid: uid, cause: cause, sentence: sentence)
    }
    guard let user = listener.channel.members[uid], user !== listener, user.isVisible else {
      return make(.unknownUser, "the channel has no user \(uid) that publishes")
    }
    guard listener.rights.contains(.subscribe) else {
      return make(.noRight, "the listener's token does not grant 'subscribe'; sign one that does")
    }
    guard user.publishes else { return make(.notPublishing, "user \(uid) does not publish; the user must begin to") }
    guard !user.isMuted else {
      return make(.senderMuted, "user \(uid) has muted its audio; the user must unmute it")
    }
    guard listener.subscribes(to: uid) else {
      return make(.notSubscribed, "the listener does not subscribe to user \(uid); subscribe to it")
    }
    guard listener.hears(uid) else { return make(.listenerMuted, "the listener has muted user \(uid); unmute it") }
    guard let last = user.stream.lastNanoseconds, now &- last < Self.silenceNanoseconds else {
      return make(.noPackets, "the relay receives no packets of user \(uid); check that user's network")
    }
    guard listener.peer?.address != nil, let leg = listener.legs[uid] else {
      return make(.other, "the listener's media connection is not ready; check that UDP is open to the relay")
    }
    if let dropped = droppedNanoseconds[listener.channel.forwarder.index], now &- dropped < Self.dropNanoseconds {
      return make(
        .relayDrops,
        "the relay came too late for datagrams of its users, \(ownCounters.droppedDatagrams) by now, and the kernel dropped "
          + "them; give the relay a processor, or fewer users")
    }
    let reported = leg.report.map { now &- $0.nanoseconds < Self.silenceNanoseconds } ?? false
    guard reported else {
      return make(
        .notReceived,
        "the relay sends packets of user \(uid), and the listener reports none; check that UDP reaches the listener")
    }
    return make(.packetsFlow, "the listener receives packets of user \(uid); look at the listener's own settings")
  }
}
