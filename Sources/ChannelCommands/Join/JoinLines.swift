import Channels
import CommandLineKit
import Engine
import JSON
import Metering
import Platform
import Signalling

/// Events of a channel on stdout: one JSON object a line.
///
/// If the reader has gone, the lines are lost, and the command continues.
///
/// Thread: any but the audio thread.
final class JoinLines: RtcEngineDelegate {
  private let output: StandardOutput?
  private let clock = SystemClock()
  private let start: Int
  private let isClosed = Guarded(false)
  private let isLeft = Guarded(false)

  /// Whether the channel was left.
  var hasLeft: Bool { isLeft.withLock { $0 } }

  /// Creates the lines; without an output, nothing is written.
  init(_ output: StandardOutput?) {
    self.output = output
    start = clock.nowNanoseconds
  }

  /// Writes a line.
  func write(_ event: String, _ body: (inout JSONWriter) -> Void = { _ in }) {
    guard let output else { return }
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      var json = JSONWriter()
      json.object { json in
        json.field("time_s", Double(clock.nowNanoseconds - start) / 1e9, decimals: 3)
        json.field("event", event)
        body(&json)
      }
      do { try output.writeLine(json.text) } catch { isClosed = true }
    }
  }

  /// Writes the join, which its closure reports.
  func joined(_ joined: JoinedChannel) {
    write("didJoinChannel") { json in
      json.field("channel", joined.channel)
      json.field("uid", Int(joined.uid))
      json.field("elapsed_ms", joined.elapsedMilliseconds)
    }
  }

  func rtcEngine(_ engine: RtcEngine, didRejoinChannel channel: String, withUid uid: UInt32, elapsed: Int) {
    write("didRejoinChannel") { json in
      json.field("channel", channel)
      json.field("uid", Int(uid))
      json.field("elapsed_ms", elapsed)
    }
  }

  func rtcEngine(_ engine: RtcEngine, didLeaveChannelWith stats: CallStatistics?) {
    write("didLeaveChannel")
    isLeft.withLock { $0 = true }
  }

  func rtcEngine(_ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason) {
    write("connectionStateChanged") { json in
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
    }
  }

  func rtcEngineConnectionDidLost(_ engine: RtcEngine) { write("connectionDidLost") }

  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) {
    write("didJoinedOfUid") { json in
      json.field("uid", Int(uid))
      json.field("elapsed_ms", elapsed)
    }
  }

  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {
    write("didOfflineOfUid") { json in
      json.field("uid", Int(uid))
      json.field("reason", reason.rawValue)
    }
  }

  func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) {
    write("didAudioMuted") { json in
      json.field("uid", Int(uid))
      json.field("muted", isMuted)
    }
  }

  func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) {
    write("firstLocalAudioFramePublished") { $0.field("elapsed_ms", elapsed) }
  }

  func rtcEngine(_ engine: RtcEngine, tokenPrivilegeWillExpire token: String) { write("tokenPrivilegeWillExpire") }
  func rtcEngineRequestToken(_ engine: RtcEngine) { write("requestToken") }

  func rtcEngine(_ engine: RtcEngine, didOccurWarning code: Int) {
    write("didOccurWarning") { $0.field("code", code) }
  }

  func rtcEngine(_ engine: RtcEngine, didOccurError code: Int) { write("didOccurError") { $0.field("code", code) } }

  func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange) {
    write("remoteAudioStateChanged") { json in
      json.field("uid", Int(change.speaker.uid))
      json.field("state", change.state.rawValue)
      json.field("reason", change.reason.rawValue)
      json.field("elapsed_ms", change.elapsedMilliseconds)
    }
  }
}
