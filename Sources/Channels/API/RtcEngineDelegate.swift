public import Devices
public import Engine
public import Signalling

/// Events of a channel and of the devices, with the names of commercial voice SDKs. Every method has an empty default.
///
/// Calls come in order, on the engine's own thread or on the executor of its options, never on the audio thread. Times
/// are in ms; `elapsed` counts from the join call.
public protocol RtcEngineDelegate: AnyObject, Sendable {
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
  /// Reports another role of the local user.
  func rtcEngine(_ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole)
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
  /// Reports a fault that the engine does not recover from: the positive number of a `ChannelErrorCode`.
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
}

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
  public func rtcEngine(_ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole) {}
  public func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) {}
  public func rtcEngine(
    _ engine: RtcEngine, didAudioPublishStateChange channel: String, oldState: PublishState, newState: PublishState,
    elapsed: Int
  ) {}
  public func rtcEngine(
    _ engine: RtcEngine, didAudioSubscribeStateChange channel: String, withUid uid: UInt32, oldState: SubscribeState,
    newState: SubscribeState, elapsed: Int
  ) {}
  public func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser) {}
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
}
