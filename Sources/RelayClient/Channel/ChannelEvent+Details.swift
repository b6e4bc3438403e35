import Signalling

extension ChannelEvent {
  /// Name and fields of the event.
  package var details: EventDescription {
    switch self {
    case .stateChanged(let state, let reason):
      EventDescription(
        "connectionStateChanged", ["state": .number(state.rawValue), "reason": .number(reason.rawValue)])
    case .joined(let uid, _, let elapsed):
      EventDescription("didJoinChannel", ["uid": .number(Int(uid)), "elapsed_ms": .number(elapsed)])
    case .rejoined(let uid, let elapsed):
      EventDescription("didRejoinChannel", ["uid": .number(Int(uid)), "elapsed_ms": .number(elapsed)])
    case .left: EventDescription("didLeaveChannel")
    case .connectionLost: EventDescription("connectionDidLost")
    case .userJoined(let user, let elapsed):
      EventDescription("didJoinedOfUid", ["uid": .number(Int(user.uid)), "elapsed_ms": .number(elapsed)])
    case .userInfoUpdated(let uid, let account):
      EventDescription(
        "didUserInfoUpdated", ["uid": .number(Int(uid)), "account": .text(account.text)], isDetail: true)
    case .userLeft(let uid, let reason):
      EventDescription("didOfflineOfUid", ["uid": .number(Int(uid)), "reason": .number(reason.rawValue)])
    case .userMuted(let uid, let isMuted):
      EventDescription("didAudioMuted", ["uid": .number(Int(uid)), "muted": .flag(isMuted)])
    case .userMusic(let uid, let isPlaying):
      EventDescription("userMusic", ["uid": .number(Int(uid)), "playing": .flag(isPlaying)], isDetail: true)
    case .userPublishes(let uid, let publishes):
      EventDescription("userPublishes", ["uid": .number(Int(uid)), "publishes": .flag(publishes)], isDetail: true)
    case .userSource(let uid, let ssrc):
      EventDescription(
        "userSource", ["uid": .number(Int(uid)), "ssrc": ssrc.map { .number(Int($0)) }], isDetail: true)
    case .ownSource(let ssrc):
      EventDescription("ownSource", ["ssrc": ssrc.map { .number(Int($0)) }], isDetail: true)
    case .published(let elapsed): EventDescription("firstLocalAudioFramePublished", ["elapsed_ms": .number(elapsed)])
    case .publishStateChanged(let old, let new, let elapsed):
      EventDescription(
        "didAudioPublishStateChange",
        ["old": .number(old.rawValue), "new": .number(new.rawValue), "elapsed_ms": .number(elapsed)], isDetail: true)
    case .subscribeStateChanged(let uid, let old, let new, let elapsed):
      EventDescription(
        "didAudioSubscribeStateChange",
        [
          "uid": .number(Int(uid)), "old": .number(old.rawValue), "new": .number(new.rawValue),
          "elapsed_ms": .number(elapsed),
        ], isDetail: true)
    case .speakersChanged(let uids):
      EventDescription("didSelectSpeakers", ["uids": uids.map { .numbers($0.map { Int($0) }) }])
    case .streamMessage(let uid, let stream, let bytes):
      EventDescription(
        "receiveStreamMessage",
        ["uid": .number(Int(uid)), "stream_id": .number(stream), "data": .text(Self.text(of: bytes))])
    case .streamMessageError(let uid, let stream, let missed, let cached):
      EventDescription(
        "didOccurStreamMessageError",
        [
          "uid": .number(Int(uid)), "stream_id": .number(stream),
          "error": .number(-ChannelErrorCode.dataStreamTimeout.rawValue), "missed": .number(missed),
          "cached": .number(cached),
        ])
    case .mediaRelayStateChanged(let state, let error):
      EventDescription(
        "channelMediaRelayStateDidChange", ["state": .number(state.rawValue), "error": .number(error.rawValue)])
    case .mediaRelayEvent(let event):
      EventDescription("didReceiveChannelMediaRelayEvent", ["event": .number(event.rawValue)])
    case .mediaRelayStarted(let channel, let uid):
      EventDescription("didStartMediaRelayToChannel", ["channel": .text(channel.text), "uid": .number(Int(uid))])
    case .mediaRelayEnded(let channel, let error):
      EventDescription(
        "didEndMediaRelayToChannel",
        [
          "channel": .text(channel.text), "code": .number(-error.code.rawValue), "message": .text(error.message),
        ])
    case .tokenWillExpire(let milliseconds):
      EventDescription("tokenPrivilegeWillExpire", ["milliseconds": .number(milliseconds)])
    case .tokenRequested: EventDescription("requestToken")
    case .tokenRenewed(let milliseconds):
      EventDescription("tokenRenewed", ["milliseconds": .number(milliseconds)], isDetail: true)
    case .networkTypeChanged(let type):
      EventDescription("networkTypeChanged", ["network_type": .number(type.rawValue)], isDetail: true)
    case .roleChanged(let old, let new, let options):
      EventDescription(
        "didClientRoleChanged",
        [
          "old": .number(old.rawValue), "new": .number(new.rawValue),
          "latency_level": .number(options.audienceLatencyLevel.rawValue),
        ], isDetail: true)
    case .roleChangeFailed(let reason, let current):
      EventDescription(
        "didClientRoleChangeFailed", ["reason": .number(reason.rawValue), "current": .number(current.rawValue)],
        isDetail: true)
    case .timedOut: EventDescription("didOccurWarning", ["code": .number(106)])
    case .failed(let error):
      EventDescription(
        "didOccurError",
        [
          "code": .number(-error.code.rawValue), "message": .text(error.message),
          "cause": error.cause.map { .text($0.rawValue) },
        ])
    case .granted: EventDescription("requestGranted", isDetail: true)
    case .refused(_, let error):
      EventDescription("requestRefused", ["message": .text(error.message)], isDetail: true)
    case .diagnosed: EventDescription("diagnosed", isDetail: true)
    }
  }

  /// The text of a message, or its bytes in hexadecimal digits if they are not UTF-8.
  private static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let digits = Array("0123456789abcdef")
    return "0x" + bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
