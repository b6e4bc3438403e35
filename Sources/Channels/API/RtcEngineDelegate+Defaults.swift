public import AudioFiles
public import Devices
public import Engine
public import Metering
public import Playback
public import Recordings
public import Signalling

/// Empty defaults: a delegate has the methods that it needs.
extension RtcEngineDelegate {
  public func rtcEngine(_ engine: RtcEngine, didJoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {}
  public func rtcEngine(_ engine: RtcEngine, didRejoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {}
  public func rtcEngine(_ engine: RtcEngine, didLeaveChannelWith stats: CallStatistics?) {}
  public func rtcEngine(
    _ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason
  ) {}
  public func rtcEngineConnectionDidLost(_ engine: RtcEngine) {}
  public func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) {}
  public func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {}
  public func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) {}
  public func rtcEngine(
    _ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newOptions: ClientRoleOptions
  ) {}
  public func rtcEngine(
    _ engine: RtcEngine, didClientRoleChangeFailed reason: RoleChangeFailure, currentRole: ClientRole
  ) {}
  public func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) {}
  public func rtcEngine(
    _ engine: RtcEngine, didAudioPublishStateChange channel: String, oldState: PublishState, newState: PublishState,
    elapsed: Int
  ) {}
  public func rtcEngine(
    _ engine: RtcEngine, didAudioSubscribeStateChange channel: String, withUid uid: UInt32, oldState: SubscribeState,
    newState: SubscribeState, elapsed: Int
  ) {}
  public func rtcEngine(_ engine: RtcEngine, didSelectSpeakers uids: [UInt32]?) {}
  public func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser) {}
  public func rtcEngine(
    _ engine: RtcEngine, receiveStreamMessageFromUid uid: UInt32, streamId: Int, data: [UInt8]
  ) {}
  public func rtcEngine(
    _ engine: RtcEngine, didOccurStreamMessageErrorFromUid uid: UInt32, streamId: Int, error: Int, missed: Int,
    cached: Int
  ) {}
  public func rtcEngine(
    _ engine: RtcEngine, channelMediaRelayStateDidChange state: ChannelMediaRelayState, error: ChannelMediaRelayError
  ) {}
  public func rtcEngine(_ engine: RtcEngine, didReceiveChannelMediaRelayEvent event: ChannelMediaRelayEvent) {}
  public func rtcEngine(_ engine: RtcEngine, didStartMediaRelayToChannel channel: String, withUid uid: UInt32) {}
  public func rtcEngine(_ engine: RtcEngine, didEndMediaRelayToChannel channel: String, error: ChannelError) {}
  public func rtcEngine(_ engine: RtcEngine, didLocalUserRegistered uid: UInt32, userAccount: String) {}
  public func rtcEngine(_ engine: RtcEngine, didUserInfoUpdated info: UserInfo, withUid uid: UInt32) {}
  public func rtcEngine(_ engine: RtcEngine, didApiCallExecute error: Int, api: String, result: String) {}
  public func rtcEngine(_ engine: RtcEngine, tokenPrivilegeWillExpire token: String) {}
  public func rtcEngineRequestToken(_ engine: RtcEngine) {}
  public func rtcEngine(_ engine: RtcEngine, didOccurWarning code: Int) {}
  public func rtcEngine(_ engine: RtcEngine, didOccurError code: Int) {}
  public func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange) {}
  public func rtcEngine(_ engine: RtcEngine, reportRtcStats stats: CallStatistics) {}
  public func rtcEngine(_ engine: RtcEngine, networkQuality report: NetworkQualityReport) {}
  public func rtcEngine(_ engine: RtcEngine, localAudioStats stats: LocalAudioStatistics) {}
  public func rtcEngine(_ engine: RtcEngine, remoteAudioStats stats: RemoteAudioStatistics) {}
  public func rtcEngine(_ engine: RtcEngine, localAudioStateChanged state: LocalAudioState, error: LocalAudioError) {}
  public func rtcEngine(_ engine: RtcEngine, didAudioRouteChanged routing: AudioRoute) {}
  public func rtcEngine(_ engine: RtcEngine, deviceStateChanged change: DeviceStateChange) {}
  public func rtcEngineMediaEngineDidLoaded(_ engine: RtcEngine) {}
  public func rtcEngineMediaEngineDidStartCall(_ engine: RtcEngine) {}
  public func rtcEngine(_ engine: RtcEngine, networkTypeChanged type: NetworkType) {}
  public func rtcEngine(_ engine: RtcEngine, didOccurPipelineWarning warning: PipelineWarning) {
    rtcEngine(engine, didOccurWarning: warning.code.rawValue)
  }
  public func rtcEngine(
    _ engine: RtcEngine, reportAudioVolumeIndicationOfSpeakers speakers: [SpeakerVolume], totalVolume: Int
  ) {}
  public func rtcEngine(_ engine: RtcEngine, activeSpeaker uid: UInt32) {}
  public func rtcEngine(_ engine: RtcEngine, didSpeak isSpeaking: Bool, byUid uid: UInt32) {}
  public func rtcEngine(_ engine: RtcEngine, reportLocalVoicePitchFrequency hertz: Double) {}
  public func rtcEngine(_ engine: RtcEngine, audioMixingStateChanged state: MusicState, reason: MusicReason) {}
  public func rtcEngineLocalAudioMixingDidFinish(_ engine: RtcEngine) {}
  public func rtcEngineRemoteAudioMixingDidStart(_ engine: RtcEngine, byUid uid: UInt32) {}
  public func rtcEngineRemoteAudioMixingDidFinish(_ engine: RtcEngine, byUid uid: UInt32) {}
  public func rtcEngineDidAudioEffectFinish(_ engine: RtcEngine, soundId: Int) {}
  public func rtcEngineDidAudioEffectInterrupt(_ engine: RtcEngine, soundId: Int) {}
  public func rtcEngine(_ engine: RtcEngine, recordingStarted start: RecordingStart) {}
  public func rtcEngine(_ engine: RtcEngine, recordingFailed path: String, reason: String) {}
  public func rtcEngine(
    _ engine: RtcEngine, didRequestAudioFileInfo info: AudioFileInfo?, path: String, error: Int
  ) {}
}
