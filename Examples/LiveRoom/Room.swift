import AudioPipe
import Channels

/// Prints the events of a room.
final class Room: RtcEngineDelegate {
  func rtcEngine(_ engine: RtcEngine, didJoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    print("joined \(channel) as user \(uid)")
  }
  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) { print("user \(uid) has come") }
  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) { print("gone: \(reason)") }
  func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) { print("muted: \(isMuted)") }
  func rtcEngine(
    _ engine: RtcEngine, reportAudioVolumeIndicationOfSpeakers speakers: [SpeakerVolume], totalVolume: Int
  ) {
    for speaker in speakers where speaker.volume > 0 { print("volume of user \(speaker.uid): \(speaker.volume)") }
  }
  func rtcEngine(
    _ engine: RtcEngine, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole, newOptions: ClientRoleOptions
  ) { print("\(oldRole) becomes \(newRole)") }
  func rtcEngine(_ engine: RtcEngine, audioMixingStateChanged state: MusicState, reason: MusicReason) { print(state) }
  func rtcEngineDidAudioEffectFinish(_ engine: RtcEngine, soundId: Int) { print("effect \(soundId) has ended") }
  func rtcEngine(_ engine: RtcEngine, didOccurError code: Int) { print("error \(code)") }
}
