public import AudioFiles
public import Devices
public import Engine
public import Metering
public import Playback
public import Recordings
public import Signalling

/// Events of an engine, its channels, its pipeline and its devices, with the names of commercial voice SDKs. Every
/// method has an empty default.
///
/// Calls come in order, on the engine's own thread or on the executor of its options, never on the audio thread. Times
/// are in ms; `elapsed` counts from the join call.
public protocol RtcEngineDelegate: AnyObject, Sendable {
  /// Reports that the engine is made.
  func rtcEngineMediaEngineDidLoaded(_ engine: RtcEngine)
  /// Reports that the sound of a call begins: the main channel is joined.
  func rtcEngineMediaEngineDidStartCall(_ engine: RtcEngine)
  /// Reports another kind of network interface on the route to the relay.
  func rtcEngine(_ engine: RtcEngine, networkTypeChanged type: NetworkType)
  /// Reports a channel that is joined.
  func rtcEngine(_ engine: RtcEngine, didJoinChannel channel: String, withUid uid: UInt32, elapsed: Int)
  /// Reports a channel that is joined again after a loss.
  func rtcEngine(_ engine: RtcEngine, didRejoinChannel channel: String, withUid uid: UInt32, elapsed: Int)
  /// Reports a channel that was left, with the newest statistics; nil before the first.
  func rtcEngine(_ engine: RtcEngine, didLeaveChannelWith stats: CallStatistics?)
  /// Reports another state of the connection.
  func rtcEngine(
    _ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason)
  /// Reports that the relay has not been reached for 10 s.
  func rtcEngineConnectionDidLost(_ engine: RtcEngine)
  /// Reports a remote user that is there.
  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int)
  /// Reports a remote user that is not there any more.
  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason)
  /// Reports a remote user that has muted its audio, or sends it again.
  func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32)
  /// Reports the users that are heard at a relay with a limit of speakers, at most once in a second.
  ///
  /// The others are silent here: their silence is neither a loss nor an end.
  ///
  /// - Parameters:
  ///   - engine: Engine of the channel.
  ///   - uids: Uids in ascending order, at most 512; nil if all users are heard again.
  func rtcEngine(_ engine: RtcEngine, didSelectSpeakers uids: [UInt32]?)
  /// Reports another role of the local user or another latency level of the audience; also the role of the audience
  /// that was set before the join.
  func rtcEngine(
    _ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newOptions: ClientRoleOptions)
  /// Reports a change of the role that has failed.
  func rtcEngine(
    _ engine: RtcEngine, didClientRoleChangeFailed reason: RoleChangeFailure, currentRole: ClientRole)
  /// Reports the first packet of the local user.
  func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int)
  /// Reports another state of the local stream; `elapsed` counts from the state before it.
  func rtcEngine(
    _ engine: RtcEngine, didAudioPublishStateChange channel: String, oldState: PublishState, newState: PublishState,
    elapsed: Int)
  /// Reports another state of a remote user's stream; `elapsed` counts from the state before it.
  func rtcEngine(
    _ engine: RtcEngine, didAudioSubscribeStateChange channel: String, withUid uid: UInt32, oldState: SubscribeState,
    newState: SubscribeState, elapsed: Int)
  /// Reports a message of a user of the app to the local user, with or without a channel.
  func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser)
  /// Reports a message of a user's data stream.
  func rtcEngine(_ engine: RtcEngine, receiveStreamMessageFromUid uid: UInt32, streamId: Int, data: [UInt8])
  /// Reports messages of a user's data stream that have not come in time.
  ///
  /// - Parameters:
  ///   - engine: Engine of the channel.
  ///   - uid: Sender.
  ///   - streamId: Number of the stream.
  ///   - error: 117.
  ///   - missed: Messages that have not come.
  ///   - cached: Later messages that waited for them, and follow now.
  func rtcEngine(
    _ engine: RtcEngine, didOccurStreamMessageErrorFromUid uid: UInt32, streamId: Int, error: Int, missed: Int,
    cached: Int)
  /// Reports another state of the relay to other channels.
  func rtcEngine(
    _ engine: RtcEngine, channelMediaRelayStateDidChange state: ChannelMediaRelayState, error: ChannelMediaRelayError)
  /// Reports an event of the relay to other channels.
  func rtcEngine(_ engine: RtcEngine, didReceiveChannelMediaRelayEvent event: ChannelMediaRelayEvent)
  /// Reports the uid under which another channel hears the local user.
  func rtcEngine(_ engine: RtcEngine, didStartMediaRelayToChannel channel: String, withUid uid: UInt32)
  /// Reports that one of the other channels gets no more audio, with the reason as a sentence.
  func rtcEngine(_ engine: RtcEngine, didEndMediaRelayToChannel channel: String, error: ChannelError)
  /// Reports the uid that the relay derives from the local user's account.
  func rtcEngine(_ engine: RtcEngine, didLocalUserRegistered uid: UInt32, userAccount: String)
  /// Reports the names of a user with an account: a remote one that is there, or the local one with another uid.
  func rtcEngine(_ engine: RtcEngine, didUserInfoUpdated info: UserInfo, withUid uid: UInt32)
  /// Reports the outcome of a call that the relay answers.
  ///
  /// - Parameters:
  ///   - engine: Engine of the call.
  ///   - error: 0, or the positive number of a `ChannelErrorCode`.
  ///   - api: Name of an `ApiCall`.
  ///   - result: Empty, or the sentence of the refusal.
  func rtcEngine(_ engine: RtcEngine, didApiCallExecute error: Int, api: String, result: String)
  /// Reports a token that expires in 30 s or less.
  func rtcEngine(_ engine: RtcEngine, tokenPrivilegeWillExpire token: String)
  /// Requests a new token in place of one that has expired.
  func rtcEngineRequestToken(_ engine: RtcEngine)
  /// Reports a fault that the engine recovers from, by number: 106 for a relay that did not answer in time.
  func rtcEngine(_ engine: RtcEngine, didOccurWarning code: Int)
  /// Reports a fault of the pipeline, such as a file that breaks off, with a sentence. The default reports the number.
  func rtcEngine(_ engine: RtcEngine, didOccurPipelineWarning warning: PipelineWarning)
  /// Reports a fault that the engine does not recover from: the positive number of a `ChannelErrorCode`, or 1002 if the
  /// system has no thread or socket for a join.
  func rtcEngine(_ engine: RtcEngine, didOccurError code: Int)
  /// Reports another state of a remote user's sound.
  func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange)
  /// Reports statistics of the call, every 2 s.
  func rtcEngine(_ engine: RtcEngine, reportRtcStats stats: CallStatistics)
  /// Reports the quality of the paths to and from a user, every 2 s; uid 0 is the local user.
  func rtcEngine(_ engine: RtcEngine, networkQuality report: NetworkQualityReport)
  /// Reports statistics of the sent sound, every 2 s.
  func rtcEngine(_ engine: RtcEngine, localAudioStats stats: LocalAudioStatistics)
  /// Reports statistics of a remote user's sound, every 2 s.
  func rtcEngine(_ engine: RtcEngine, remoteAudioStats stats: RemoteAudioStatistics)
  /// Reports another state of the local user's device, also without a channel.
  func rtcEngine(_ engine: RtcEngine, localAudioStateChanged state: LocalAudioState, error: LocalAudioError)
  /// Reports that another kind of device plays, also without a channel.
  func rtcEngine(_ engine: RtcEngine, didAudioRouteChanged routing: AudioRoute)
  /// Reports a device of the pipeline that has come or gone, also without a channel.
  func rtcEngine(_ engine: RtcEngine, deviceStateChanged change: DeviceStateChange)

  // MARK: Sound

  /// Reports the volumes of the local user, or of the loudest remote users of all channels.
  ///
  /// - Parameters:
  ///   - engine: Engine of the pipeline.
  ///   - speakers: Users with their volumes, 0 to 255, the loudest first.
  ///   - totalVolume: Volume of their sum, 0 to 255.
  func rtcEngine(
    _ engine: RtcEngine, reportAudioVolumeIndicationOfSpeakers speakers: [SpeakerVolume], totalVolume: Int)
  /// Reports that another remote user of the channel is the loudest one.
  func rtcEngine(_ engine: RtcEngine, activeSpeaker uid: UInt32)
  /// Reports a remote user that begins or ends to speak.
  func rtcEngine(_ engine: RtcEngine, didSpeak isSpeaking: Bool, byUid uid: UInt32)
  /// Reports the pitch of the local voice, in Hz; 0 without a voice.
  func rtcEngine(_ engine: RtcEngine, reportLocalVoicePitchFrequency hertz: Double)
  /// Reports another state of the music, and its reason.
  func rtcEngine(_ engine: RtcEngine, audioMixingStateChanged state: MusicState, reason: MusicReason)
  /// Reports music that was played to its end.
  func rtcEngineLocalAudioMixingDidFinish(_ engine: RtcEngine)
  /// Reports a remote user of the channel that begins to send music.
  func rtcEngineRemoteAudioMixingDidStart(_ engine: RtcEngine, byUid uid: UInt32)
  /// Reports the end of a remote user's music in the channel.
  func rtcEngineRemoteAudioMixingDidFinish(_ engine: RtcEngine, byUid uid: UInt32)
  /// Reports an effect that was played to its end.
  func rtcEngineDidAudioEffectFinish(_ engine: RtcEngine, soundId: Int)
  /// Reports an effect that has ended early, as with a file that breaks off.
  func rtcEngineDidAudioEffectInterrupt(_ engine: RtcEngine, soundId: Int)
  /// Reports a file of a recording that has its first sample.
  func rtcEngine(_ engine: RtcEngine, recordingStarted start: RecordingStart)
  /// Reports a recording that could not be made or written.
  func rtcEngine(_ engine: RtcEngine, recordingFailed path: String, reason: String)
  /// Reports the answer to `getAudioFileInfo`.
  ///
  /// - Parameters:
  ///   - engine: Engine of the call.
  ///   - info: Format and duration; nil for a file that cannot be read.
  ///   - path: Path of the call.
  ///   - error: 0, or 1 for a file that cannot be read.
  func rtcEngine(_ engine: RtcEngine, didRequestAudioFileInfo info: AudioFileInfo?, path: String, error: Int)
}
