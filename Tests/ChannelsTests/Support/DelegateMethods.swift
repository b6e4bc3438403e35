import AudioFiles
import Channels
import Devices
import Engine
import Foundation
import MediaStreams
import Metering
import Platform
import Playback
import Recordings
import Signalling

/// A delegate that writes every call down, each with its method's name.
final class DelegateMethods: RtcEngineDelegate {
  private let entries = Guarded<[(name: String, detail: String)]>([])

  /// Names of the methods that were called.
  var names: Set<String> { entries.withLock { Set($0.map(\.name)) } }

  /// Details of the calls of a method, in order.
  func details(_ name: String) -> [String] {
    entries.withLock { entries in entries.filter { $0.name == name }.map(\.detail) }
  }

  private func add(_ name: String, _ detail: String = "") { entries.withLock { $0.append((name, detail)) } }

  func rtcEngineMediaEngineDidLoaded(_ engine: RtcEngine) { add("mediaEngineDidLoaded") }
  func rtcEngineMediaEngineDidStartCall(_ engine: RtcEngine) { add("mediaEngineDidStartCall") }
  func rtcEngine(_ engine: RtcEngine, networkTypeChanged type: NetworkType) {
    add("networkTypeChanged", "\(type.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didJoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    add("didJoinChannel", "\(channel) \(uid)")
  }
  func rtcEngine(_ engine: RtcEngine, didRejoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    add("didRejoinChannel", "\(channel) \(uid)")
  }
  func rtcEngine(_ engine: RtcEngine, didLeaveChannelWith stats: CallStatistics?) { add("didLeaveChannel") }
  func rtcEngine(_ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason) {
    add("connectionStateChanged", "\(state.rawValue)/\(reason.rawValue)")
  }
  func rtcEngineConnectionDidLost(_ engine: RtcEngine) { add("connectionDidLost") }
  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) { add("didJoinedOfUid", "\(uid)") }
  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {
    add("didOfflineOfUid", "\(uid) \(reason.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) {
    add("didAudioMuted", "\(uid) \(isMuted)")
  }
  func rtcEngine(_ engine: RtcEngine, didSelectSpeakers uids: [UInt32]?) {
    add("didSelectSpeakers", uids.map { "\($0)" } ?? "all")
  }
  func rtcEngine(
    _ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newOptions: ClientRoleOptions
  ) {
    add("didClientRoleChanged", "\(oldRole.rawValue) \(newRole.rawValue)")
  }
  func rtcEngine(
    _ engine: RtcEngine, didClientRoleChangeFailed reason: RoleChangeFailure, currentRole: ClientRole
  ) {
    add("didClientRoleChangeFailed", "\(reason.rawValue) \(currentRole.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) {
    add("firstLocalAudioFramePublished", "\(elapsed)")
  }
  func rtcEngine(
    _ engine: RtcEngine, didAudioPublishStateChange channel: String, oldState: PublishState, newState: PublishState,
    elapsed: Int
  ) {
    add("didAudioPublishStateChange", "\(channel) \(oldState.rawValue) \(newState.rawValue) \(elapsed)")
  }
  func rtcEngine(
    _ engine: RtcEngine, didAudioSubscribeStateChange channel: String, withUid uid: UInt32, oldState: SubscribeState,
    newState: SubscribeState, elapsed: Int
  ) {
    add(
      "didAudioSubscribeStateChange", "\(channel) \(uid) \(oldState.rawValue) \(newState.rawValue) \(elapsed)")
  }
  func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser) {
    add("didReceiveMessage", message)
  }
  func rtcEngine(_ engine: RtcEngine, didLocalUserRegistered uid: UInt32, userAccount: String) {
    add("didLocalUserRegistered", userAccount)
  }
  func rtcEngine(_ engine: RtcEngine, didUserInfoUpdated info: UserInfo, withUid uid: UInt32) {
    add("didUserInfoUpdated", info.userAccount)
  }
  func rtcEngine(_ engine: RtcEngine, didApiCallExecute error: Int, api: String, result: String) {
    add("didApiCallExecute", "\(api) \(error)")
  }
  func rtcEngine(_ engine: RtcEngine, tokenPrivilegeWillExpire token: String) { add("tokenPrivilegeWillExpire") }
  func rtcEngineRequestToken(_ engine: RtcEngine) { add("requestToken") }
  func rtcEngine(_ engine: RtcEngine, didOccurWarning code: Int) { add("didOccurWarning", "\(code)") }
  func rtcEngine(_ engine: RtcEngine, didOccurPipelineWarning warning: PipelineWarning) {
    add("didOccurPipelineWarning", "\(warning.code.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didOccurError code: Int) { add("didOccurError", "\(code)") }
  func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange) {
    add("remoteAudioStateChanged", "\(change.speaker.uid) \(change.state.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, reportRtcStats stats: CallStatistics) {
    add("reportRtcStats", "\(stats.userCount)")
  }
  func rtcEngine(_ engine: RtcEngine, networkQuality report: NetworkQualityReport) {
    add("networkQuality", "\(report.uid) \(report.sent.rawValue) \(report.received.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, localAudioStats stats: LocalAudioStatistics) { add("localAudioStats") }
  func rtcEngine(_ engine: RtcEngine, remoteAudioStats stats: RemoteAudioStatistics) {
    add("remoteAudioStats", "\(stats.channelCount)")
  }
  func rtcEngine(_ engine: RtcEngine, localAudioStateChanged state: LocalAudioState, error: LocalAudioError) {
    add("localAudioStateChanged", "\(state.rawValue)/\(error.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didAudioRouteChanged routing: AudioRoute) { add("didAudioRouteChanged") }
  func rtcEngine(_ engine: RtcEngine, deviceStateChanged change: DeviceStateChange) { add("deviceStateChanged") }
  func rtcEngine(
    _ engine: RtcEngine, reportAudioVolumeIndicationOfSpeakers speakers: [SpeakerVolume], totalVolume: Int
  ) {
    add("reportAudioVolumeIndicationOfSpeakers")
  }
  func rtcEngine(_ engine: RtcEngine, activeSpeaker uid: UInt32) { add("activeSpeaker", "\(uid)") }
  func rtcEngine(_ engine: RtcEngine, didSpeak isSpeaking: Bool, byUid uid: UInt32) {
    add("didSpeak", "\(uid) \(isSpeaking)")
  }
  func rtcEngine(_ engine: RtcEngine, reportLocalVoicePitchFrequency hertz: Double) {
    add("reportLocalVoicePitchFrequency")
  }
  func rtcEngine(_ engine: RtcEngine, audioMixingStateChanged state: MusicState, reason: MusicReason) {
    add("audioMixingStateChanged", "\(state.rawValue)/\(reason.rawValue)")
  }
  func rtcEngineLocalAudioMixingDidFinish(_ engine: RtcEngine) { add("localAudioMixingDidFinish") }
  func rtcEngineRemoteAudioMixingDidStart(_ engine: RtcEngine, byUid uid: UInt32) {
    add("remoteAudioMixingDidStart", "\(uid)")
  }
  func rtcEngineRemoteAudioMixingDidFinish(_ engine: RtcEngine, byUid uid: UInt32) {
    add("remoteAudioMixingDidFinish", "\(uid)")
  }
  func rtcEngineDidAudioEffectFinish(_ engine: RtcEngine, soundId: Int) { add("didAudioEffectFinish", "\(soundId)") }
  func rtcEngineDidAudioEffectInterrupt(_ engine: RtcEngine, soundId: Int) {
    add("didAudioEffectInterrupt", "\(soundId)")
  }
  func rtcEngine(_ engine: RtcEngine, receiveStreamMessageFromUid uid: UInt32, streamId: Int, data: [UInt8]) {
    add("receiveStreamMessage", "\(uid) \(streamId) \(data)")
  }
  func rtcEngine(
    _ engine: RtcEngine, didOccurStreamMessageErrorFromUid uid: UInt32, streamId: Int, error: Int, missed: Int,
    cached: Int
  ) {
    add("didOccurStreamMessageError", "\(uid) \(streamId) \(error) \(missed) \(cached)")
  }
  func rtcEngine(
    _ engine: RtcEngine, channelMediaRelayStateDidChange state: ChannelMediaRelayState, error: ChannelMediaRelayError
  ) {
    add("channelMediaRelayStateDidChange", "\(state.rawValue) \(error.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didReceiveChannelMediaRelayEvent event: ChannelMediaRelayEvent) {
    add("didReceiveChannelMediaRelayEvent", "\(event.rawValue)")
  }
  func rtcEngine(_ engine: RtcEngine, didStartMediaRelayToChannel channel: String, withUid uid: UInt32) {
    add("didStartMediaRelayToChannel", "\(channel) \(uid)")
  }
  func rtcEngine(_ engine: RtcEngine, didEndMediaRelayToChannel channel: String, error: ChannelError) {
    add("didEndMediaRelayToChannel", "\(channel) \(error.code.rawValue) \(error.message)")
  }
  func rtcEngine(_ engine: RtcEngine, recordingStarted start: RecordingStart) { add("recordingStarted") }
  func rtcEngine(_ engine: RtcEngine, recordingFailed path: String, reason: String) { add("recordingFailed") }
  func rtcEngine(_ engine: RtcEngine, didRequestAudioFileInfo info: AudioFileInfo?, path: String, error: Int) {
    add("didRequestAudioFileInfo", "\(info?.durationMilliseconds ?? -1) \(error)")
  }
}
