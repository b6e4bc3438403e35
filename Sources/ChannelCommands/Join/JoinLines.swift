import Channels
import CommandLineKit
import Devices
import Engine
import JSON
import Metering
import OfflineProcessing
import Platform

/// Events of a channel, for programs.
///
/// Thread: any but the audio thread.
final class JoinLines: RtcEngineDelegate {
  private let lines: TimedLines
  private let isLeft = Guarded(false)

  /// Whether the channel was left.
  var hasLeft: Bool { isLeft.withLock { $0 } }

  private let watch: ConnectionWatch

  /// Creates the lines; without an output, nothing is written. The watch gets the states of users' streams.
  init(_ output: StandardOutput?, _ watch: ConnectionWatch) {
    self.watch = watch
    lines = TimedLines(output)
  }

  /// Writes a line.
  func write(_ event: String, _ body: (inout JSONWriter) -> Void = { _ in }) {
    lines.write(event, body)
  }

  /// Throws 74 if lines could not be written.
  func check() throws(CommandFailure) { try lines.check() }

  /// Writes an event of the channel.
  func take(_ channel: String, _ event: ChannelEvent) {
    guard !event.details.isDetail else { return }
    write(event.details.name) { json in
      switch event {
      case .joined, .rejoined: json.field("channel", channel)
      default: break
      }
      event.writeFields(&json)
    }
    if event == .left { isLeft.withLock { $0 = true } }
  }

  func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange) {
    watch.take(change)
    write("remoteAudioStateChanged") { json in
      json.field("uid", Int(change.speaker.uid))
      json.field("state", change.state.rawValue)
      json.field("reason", change.reason.rawValue)
      json.field("elapsed_ms", change.elapsedMilliseconds)
    }
  }

  func rtcEngine(_ engine: RtcEngine, didReceiveMessage message: String, from user: RtcUser) {
    write("didReceiveMessage") { json in
      switch user {
      case .uid(let uid): json.field("from_uid", Int(uid))
      case .account(let account): json.field("from_account", account)
      }
      json.field("message", message)
    }
  }

  func rtcEngine(_ engine: RtcEngine, localAudioStateChanged state: LocalAudioState, error: LocalAudioError) {
    write(.localAudioState(state, error))
  }

  func rtcEngine(_ engine: RtcEngine, didAudioRouteChanged routing: AudioRoute) { write(.audioRoute(routing)) }

  func rtcEngine(_ engine: RtcEngine, deviceStateChanged change: DeviceStateChange) { write(.deviceState(change)) }

  /// Writes an event of the pipeline about a recording.
  func take(_ event: PipelineEvent) {
    switch event.kind {
    case .recordingStarted, .recordingFailed: write(event.kind)
    default: break
    }
  }

  private func write(_ kind: PipelineEvent.Kind) { lines.write(kind) }
}
