import Devices
public import Engine
package import JSON
import Metering
import Playback

extension PipelineEvent {
  /// The event as one line of JSON, with the fields of `--json-lines`: Documentation/Reports.md explains them.
  ///
  /// ```swift
  /// pipeline.onEvent { event in print(event.json) }  // {"time_s":1.23,"event":"speechBegan","uid":7}
  /// ```
  /// `time_s` is the time of the event since the first tick, in seconds with 3 digits.
  public var json: String {
    var json = JSONWriter()
    json.object { json in
      json.field("time_s", time / .seconds(1), decimals: 3)
      json.field("event", kind.name)
      kind.writeFields(&json)
    }
    return json.text
  }
}

extension PipelineEvent.Kind {
  /// Name of the event in JSON, such as `speechBegan`; some are those of other voice SDKs.
  public var name: String {
    switch self {
    case .volumes: "volumes"
    case .activeSpeaker: "activeSpeaker"
    case .speechBegan: "speechBegan"
    case .speechEnded: "speechEnded"
    case .localVoicePitch: "localVoicePitch"
    case .effectFinished: "effectFinished"
    case .effectInterrupted: "effectInterrupted"
    case .music: "musicState"
    case .musicFinished: "musicFinished"
    case .remoteMusicStarted: "remoteMusicStarted"
    case .remoteMusicFinished: "remoteMusicFinished"
    case .recordingStarted: "recordingStarted"
    case .recordingFailed: "recordingFailed"
    case .remoteAudioState: "remoteAudioStateChanged"
    case .remoteSourceChanged: "remoteSourceChanged"
    case .remoteMuted: "didAudioMuted"
    case .remoteAudioStatistics: "remoteAudioStats"
    case .localAudioStatistics: "localAudioStats"
    case .callStatistics: "reportRtcStats"
    case .networkQuality: "networkQuality"
    case .localAudioState: "localAudioStateChanged"
    case .audioRoute: "didAudioRouteChanged"
    case .deviceState: "deviceStateChanged"
    case .warning: "warning"
    }
  }

  /// Writes the fields of the event, except name and time, into an object.
  package func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .musicFinished: break
    case .volumes(let report): report.write(&json)
    case .activeSpeaker(let id), .speechBegan(let id), .speechEnded(let id), .remoteMusicStarted(let id),
      .remoteMusicFinished(let id):
      json.field("uid", Int(id.uid))
    case .localVoicePitch(let hertz): json.field("f0_hz", hertz, decimals: 2)
    case .effectFinished(let soundID), .effectInterrupted(let soundID): json.field("sound_id", soundID)
    case .music(let state, let reason):
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
    case .recordingStarted(let start): start.write(&json)
    case .recordingFailed(let path, let reason):
      json.field("path", path)
      json.field("message", reason)
    case .remoteAudioState(let change): change.write(&json)
    case .remoteSourceChanged(let id, let ssrc):
      json.field("uid", Int(id.uid))
      json.field("ssrc", Int(ssrc))
    case .remoteMuted(let id, let isMuted):
      json.field("uid", Int(id.uid))
      json.field("muted", isMuted)
    case .remoteAudioStatistics(let statistics): statistics.write(&json)
    case .localAudioStatistics(let statistics): statistics.write(&json)
    case .callStatistics(let statistics): statistics.write(&json)
    case .networkQuality(let report): report.write(&json)
    case .localAudioState(let state, let error):
      json.field("state", state.rawValue)
      json.field("error", error.rawValue)
    case .audioRoute(let route): json.field("route", route.rawValue)
    case .deviceState(let change): change.write(&json)
    case .warning(let warning):
      json.field("code", warning.code.rawValue)
      json.field("message", warning.message)
    }
  }
}
