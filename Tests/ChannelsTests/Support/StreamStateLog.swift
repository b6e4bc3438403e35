import Channels
import Platform

/// A delegate that writes the states of streams down.
final class StreamStateLog: RtcEngineDelegate {
  private let entries = Guarded<[String]>([])

  var states: [String] { entries.withLock { $0 } }
  /// States of the local stream.
  var own: [String] { states.filter { $0.hasPrefix("own") } }

  func rtcEngine(
    _ engine: RtcEngine, didAudioPublishStateChange channel: String, oldState: PublishState, newState: PublishState,
    elapsed: Int
  ) {
    entries.withLock { $0.append("own \(oldState.rawValue) to \(newState.rawValue)") }
  }

  func rtcEngine(
    _ engine: RtcEngine, didAudioSubscribeStateChange channel: String, withUid uid: UInt32, oldState: SubscribeState,
    newState: SubscribeState, elapsed: Int
  ) {
    entries.withLock { $0.append("\(uid) \(oldState.rawValue) to \(newState.rawValue)") }
  }
}
