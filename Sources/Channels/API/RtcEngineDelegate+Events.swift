import Engine
import Metering
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
      if let main = engine.connection, main.channel == channel, main.delegate === self {
        rtcEngineMediaEngineDidStartCall(engine)
      }
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
    case .speakersChanged(let uids): rtcEngine(engine, didSelectSpeakers: uids)
    case .streamMessage(let uid, let stream, let bytes):
      rtcEngine(engine, receiveStreamMessageFromUid: uid, streamId: stream, data: bytes)
    case .streamMessageError(let uid, let stream, let missed, let cached):
      rtcEngine(
        engine, didOccurStreamMessageErrorFromUid: uid, streamId: stream,
        error: -ChannelErrorCode.dataStreamTimeout.rawValue, missed: missed, cached: cached)
    case .mediaRelayStateChanged(let state, let error):
      rtcEngine(engine, channelMediaRelayStateDidChange: state, error: error)
    case .mediaRelayEvent(let event): rtcEngine(engine, didReceiveChannelMediaRelayEvent: event)
    case .mediaRelayStarted(let destination, let uid):
      rtcEngine(engine, didStartMediaRelayToChannel: destination.text, withUid: uid)
    case .mediaRelayEnded(let destination, let error):
      rtcEngine(engine, didEndMediaRelayToChannel: destination.text, error: error)
    case .tokenWillExpire: rtcEngine(engine, tokenPrivilegeWillExpire: token)
    case .tokenRequested: rtcEngineRequestToken(engine)
    case .roleChanged(let old, let new, let options):
      rtcEngine(engine, didClientRoleChanged: old, newRole: new, newOptions: options)
    case .roleChangeFailed(let reason, let current):
      rtcEngine(engine, didClientRoleChangeFailed: reason, currentRole: current)
    case .timedOut: rtcEngine(engine, didOccurWarning: 106)
    case .failed(let error): rtcEngine(engine, didOccurError: -error.code.rawValue)
    case .userMusic(let uid, let isPlaying):
      if isPlaying {
        rtcEngineRemoteAudioMixingDidStart(engine, byUid: uid)
      } else {
        rtcEngineRemoteAudioMixingDidFinish(engine, byUid: uid)
      }
    case .networkTypeChanged(let type): rtcEngine(engine, networkTypeChanged: type)
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
    case .volumes(let report):
      rtcEngine(
        engine, reportAudioVolumeIndicationOfSpeakers: report.speakers, totalVolume: report.totalVolume)
    case .activeSpeaker(let speaker): rtcEngine(engine, activeSpeaker: speaker.uid)
    case .speechBegan(let speaker): rtcEngine(engine, didSpeak: true, byUid: speaker.uid)
    case .speechEnded(let speaker): rtcEngine(engine, didSpeak: false, byUid: speaker.uid)
    case .localVoicePitch(let hertz): rtcEngine(engine, reportLocalVoicePitchFrequency: hertz)
    case .music(let state, let reason): rtcEngine(engine, audioMixingStateChanged: state, reason: reason)
    case .musicFinished: rtcEngineLocalAudioMixingDidFinish(engine)
    case .effectFinished(let soundID): rtcEngineDidAudioEffectFinish(engine, soundId: soundID)
    case .effectInterrupted(let soundID): rtcEngineDidAudioEffectInterrupt(engine, soundId: soundID)
    case .recordingStarted(let start): rtcEngine(engine, recordingStarted: start)
    case .recordingFailed(let path, let reason): rtcEngine(engine, recordingFailed: path, reason: reason)
    case .warning(let warning): rtcEngine(engine, didOccurPipelineWarning: warning)
    // Signalling reports them, also of users without a subscription.
    case .remoteMuted, .remoteMusicStarted, .remoteMusicFinished: break
    case .remoteSourceChanged: break
    }
  }
}
