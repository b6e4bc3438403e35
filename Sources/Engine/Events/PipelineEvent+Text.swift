import Devices
import Metering
import Playback

extension PipelineEvent: CustomStringConvertible {
  /// One line for people: the time in seconds, and the event in words.
  public var description: String { "\((time / .milliseconds(1)).rounded() / 1_000) s: \(kind.text)" }
}

extension PipelineEvent.Kind {
  /// The event in words.
  fileprivate var text: String {
    switch self {
    case .volumes(let report): "total volume \(report.totalVolume) of the \(report.side) side"
    case .activeSpeaker(let id): "user \(id.uid) is the active speaker"
    case .speechBegan(let id): "user \(id.uid) begins to speak"
    case .speechEnded(let id): "user \(id.uid) has ended to speak"
    case .localVoicePitch(let hertz): hertz > 0 ? "local voice at \(hertz.rounded()) Hz" : "local voice without a pitch"
    case .effectFinished(let id): "effect \(id) has been played to its end"
    case .effectInterrupted(let id): "effect \(id) has ended early"
    case .music(let state, let reason): "music \(state) (\(reason))"
    case .musicFinished: "music has been played to its end"
    case .remoteMusicStarted(let id): "user \(id.uid) begins to mix music in"
    case .remoteMusicFinished(let id): "music of user \(id.uid) has ended"
    case .recordingStarted(let start):
      "recording \(start.path) begins with sample \(start.samplePosition)\(start.time.map { ", at \($0)" } ?? "")"
    case .recordingFailed(let path, let reason): "recording \(path) failed: \(reason)"
    case .remoteAudioState(let change): "sound of user \(change.speaker.uid) \(change.state) (\(change.reason))"
    case .remoteSourceChanged(let id, let ssrc): "sound of user \(id.uid) comes from SSRC \(ssrc)"
    case .remoteMuted(let id, let isMuted): "user \(id.uid) has \(isMuted ? "muted its stream" : "ended its mute")"
    case .remoteAudioStatistics(let statistics): "user \(statistics.speaker.uid) has a MOS of \(statistics.mos)"
    case .localAudioStatistics(let statistics): "\(statistics.sentKilobitsPerSecond) kbit/s of local sound are sent"
    case .callStatistics(let statistics): "\(statistics.receivedKilobitsPerSecond) kbit/s are received"
    case .networkQuality(let report): "network of user \(report.uid): up \(report.sent), down \(report.received)"
    case .localAudioState(let state, let error): "local sound \(state) (\(error))"
    case .audioRoute(let route): "sound is played by \(route)"
    case .deviceState(let change): "device '\(change.id)' is \(change.state)"
    case .warning(let warning): "warning \(warning.code.rawValue): \(warning.message)"
    }
  }
}
