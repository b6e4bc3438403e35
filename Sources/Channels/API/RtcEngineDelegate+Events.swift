import Engine
import Signalling

extension RtcEngineDelegate {
  /// Calls the method for an event of a channel, if there is one.
  ///
  /// - Parameters:
  ///   - token: Token of the channel.
  ///   - hidesJoin: Whether a closure has taken the place of `didJoinChannel`.
  func deliver(_ event: ChannelEvent, of channel: String, _ engine: RtcEngine, token: String, hidesJoin: Bool) {
    switch event {
    case .stateChanged(let state, let reason):
      rtcEngine(engine, connectionStateChanged: state, reason: reason)
    case .joined(let uid, _, let elapsed):
      if !hidesJoin { rtcEngine(engine, didJoinChannel: channel, withUid: uid, elapsed: elapsed) }
    case .rejoined(let uid, let elapsed):
      rtcEngine(engine, didRejoinChannel: channel, withUid: uid, elapsed: elapsed)
    case .left: rtcEngine(engine, didLeaveChannelWith: engine.callStatistics)
    case .connectionLost: rtcEngineConnectionDidLost(engine)
    case .userJoined(let user, let elapsed): rtcEngine(engine, didJoinedOfUid: user.uid, elapsed: elapsed)
    case .userInfoUpdated(let uid, let account):
      rtcEngine(engine, didUserInfoUpdated: UserInfo(uid: uid, userAccount: account.text), withUid: uid)
    case .userLeft(let uid, let reason): rtcEngine(engine, didOfflineOfUid: uid, reason: reason)
    case .userMuted(let uid, let isMuted): rtcEngine(engine, didAudioMuted: isMuted, byUid: uid)
    case .published(let elapsed): rtcEngine(engine, firstLocalAudioFramePublished: elapsed)
    case .publishStateChanged(let old, let new, let elapsed):
      rtcEngine(engine, didAudioPublishStateChange: channel, oldState: old, newState: new, elapsed: elapsed)
    case .subscribeStateChanged(let uid, let old, let new, let elapsed):
      rtcEngine(
        engine, didAudioSubscribeStateChange: channel, withUid: uid, oldState: old, newState: new, elapsed: elapsed)
    case .tokenWillExpire: rtcEngine(engine, tokenPrivilegeWillExpire: token)
    case .tokenRequested: rtcEngineRequestToken(engine)
    case .roleChanged(let old, let new): rtcEngine(engine, didClientRoleChanged: old, newRole: new)
    case .timedOut: rtcEngine(engine, didOccurWarning: 106)
    case .failed(let error): rtcEngine(engine, didOccurError: -error.code.rawValue)
    case .userPublishes, .userSource, .ownSource, .tokenRenewed, .granted, .refused, .diagnosed: break
    }
  }

  /// Calls the method for the outcome of a call.
  func deliver(_ call: ApiCall, _ result: Result<[DiagnosisFinding], ChannelError>, _ engine: RtcEngine) {
    switch result {
    case .success: rtcEngine(engine, didApiCallExecute: 0, api: call.rawValue, result: "")
    case .failure(let error):
      rtcEngine(engine, didApiCallExecute: -error.code.rawValue, api: call.rawValue, result: error.message)
    }
  }

  /// Calls the method for an event of the pipeline, if there is one.
  func deliver(_ kind: PipelineEvent.Kind, _ engine: RtcEngine) {
    switch kind {
    case .remoteAudioState(let change): rtcEngine(engine, remoteAudioStateChanged: change)
    case .callStatistics(let statistics): rtcEngine(engine, reportRtcStats: statistics)
    case .networkQuality(let report): rtcEngine(engine, networkQuality: report)
    case .localAudioStatistics(let statistics): rtcEngine(engine, localAudioStats: statistics)
    case .remoteAudioStatistics(let statistics): rtcEngine(engine, remoteAudioStats: statistics)
    case .localAudioState(let state, let error): rtcEngine(engine, localAudioStateChanged: state, error: error)
    case .audioRoute(let route): rtcEngine(engine, didAudioRouteChanged: route)
    case .deviceState(let change): rtcEngine(engine, deviceStateChanged: change)
    default: break
    }
  }
}
