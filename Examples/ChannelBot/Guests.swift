import Channels

/// Prints the users of a channel that come and go.
final class Guests: RtcEngineDelegate {
  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) { print("user \(uid) has come") }
  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {
    print("user \(uid) has gone: \(reason)")
  }
}
