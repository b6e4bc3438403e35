package import Channels
package import Devices
package import Engine
import Platform
package import Signalling

/// A delegate that writes its calls down.
package final class DelegateLog: RtcEngineDelegate {
  private let entries = Guarded<[String]>([])

  package init() {}

  package var calls: [String] { entries.withLock { $0 } }

  package func clear() { entries.withLock { $0 = [] } }

  private func add(_ entry: String) { entries.withLock { $0.append(entry) } }

  package func rtcEngine(_ engine: RtcEngine, didJoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    add("didJoinChannel \(channel) \(uid)")
  }
  package func rtcEngine(_ engine: RtcEngine, didRejoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    add("didRejoinChannel \(channel) \(uid)")
  }
  package func rtcEngine(_ engine: RtcEngine, didLeaveChannelWith stats: CallStatistics?) { add("didLeaveChannel") }
  package func rtcEngine(_ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason) {
    add("state \(state.rawValue)/\(reason.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) { add("didJoined \(uid)") }
  package func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {
    add("didOffline \(uid) \(reason.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) {
    add("didAudioMuted \(uid) \(isMuted)")
  }
  package func rtcEngine(
    _ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newOptions: ClientRoleOptions
  ) {
    add("role \(oldRole.rawValue) to \(newRole.rawValue), level \(newOptions.audienceLatencyLevel.rawValue)")
  }
  package func rtcEngine(
    _ engine: RtcEngine, didClientRoleChangeFailed reason: RoleChangeFailure, currentRole: ClientRole
  ) {
    add("role change failed \(reason.rawValue), \(currentRole.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) { add("published") }
  package func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser) {
    add("message \(message) of \(user)")
  }
  package func rtcEngine(
    _ engine: RtcEngine, receiveStreamMessageFromUid uid: UInt32, streamId: Int, data: [UInt8]
  ) {
    add("message \(String(decoding: data, as: UTF8.self)) of \(uid) on \(streamId)")
  }
  package func rtcEngine(
    _ engine: RtcEngine, didOccurStreamMessageErrorFromUid uid: UInt32, streamId: Int, error: Int, missed: Int,
    cached: Int
  ) {
    add("messages of \(uid) on \(streamId): error \(error), \(missed) missed, \(cached) cached")
  }
  package func rtcEngine(
    _ engine: RtcEngine, channelMediaRelayStateDidChange state: ChannelMediaRelayState, error: ChannelMediaRelayError
  ) {
    add("relays \(state.rawValue)/\(error.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didReceiveChannelMediaRelayEvent event: ChannelMediaRelayEvent) {
    add("relay event \(event.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didStartMediaRelayToChannel channel: String, withUid uid: UInt32) {
    add("relayed to \(channel) as \(uid)")
  }
  package func rtcEngine(_ engine: RtcEngine, didEndMediaRelayToChannel channel: String, error: ChannelError) {
    add("not relayed to \(channel): \(error.code.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didLocalUserRegistered uid: UInt32, userAccount: String) {
    add("registered \(userAccount) \(uid)")
  }
  package func rtcEngine(_ engine: RtcEngine, didUserInfoUpdated info: UserInfo, withUid uid: UInt32) {
    add("info \(uid) \(info.userAccount)")
  }
  package func rtcEngine(_ engine: RtcEngine, didApiCallExecute error: Int, api: String, result: String) {
    add("call \(api) \(error)")
  }
  package func rtcEngine(_ engine: RtcEngine, didOccurError code: Int) { add("error \(code)") }
  package func rtcEngine(_ engine: RtcEngine, localAudioStateChanged state: LocalAudioState, error: LocalAudioError) {
    add("local \(state.rawValue)/\(error.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, didAudioRouteChanged routing: AudioRoute) {
    add("route \(routing.rawValue)")
  }
  package func rtcEngine(_ engine: RtcEngine, deviceStateChanged change: DeviceStateChange) {
    add("\(change.id) \(change.direction) \(change.state.rawValue)")
  }
}
