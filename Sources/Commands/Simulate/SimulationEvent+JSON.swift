import CallSimulation
import Calls
import ChannelCommands
import Channels
import Engine
import JSON
import Metering
import OfflineProcessing
import OpusCodec

extension SimulationEvent {
  /// Writes the fields of the event; `key` is the key of its name: `name` in a list of events, `event` in a line of its
  /// own.
  func write(_ json: inout JSONWriter, name key: String) {
    json.field("time_s", seconds, decimals: 6)
    switch kind {
    case .script(let index, let action, let refusal):
      json.field(key, action.name.rawValue)
      json.field("index", index)
      let isNetwork = action.name == .network
      if let user = action.user { json.field(isNetwork ? "from" : "user", Int(user)) }
      write(channel: action.channel?.text, &json)
      if let room = action.room { json.field("room", room.text) }
      if let callee = action.callee { json.field("to", Int(callee)) }
      if let listener = action.listener { json.field(isNetwork ? "to" : "listener", Int(listener)) }
      if let refusal { json.field("refused", refusal) }
    case .sending(let options, let user):
      json.field(key, "sending")
      json.field("user", Int(user))
      json.field("bitrate", options.bitrate)
      json.field("frame_ms", options.packetDuration.rawValue)
      json.field("fec", options.forwardErrorCorrection)
      json.field("expected_loss_percent", options.expectedLossPercent)
      json.field("complexity", options.complexity)
    case .pipeline(let kind, let user):
      json.field(key, kind.name)
      json.field("user", Int(user))
      write(channel: kind.channel, &json)
      kind.writeFields(&json)
    case .channel(let event, let user, let channel):
      json.field(key, event.details.name)
      json.field("user", Int(user))
      write(channel: channel.text, &json)
      event.writeFields(&json)
    case .calls(let news, let user):
      json.field(key, news.name)
      json.field("user", Int(user))
      news.writeFields(&json)
    }
  }

  /// Writes the name of a channel that is not the call.
  private func write(channel: String?, _ json: inout JSONWriter) {
    if let channel, !channel.isEmpty, channel != CallScript.channel.text { json.field("channel", channel) }
  }
}

extension PipelineEvent.Kind {
  /// Channel of the user that the event is about; nil for other events.
  fileprivate var channel: String? {
    switch self {
    case .activeSpeaker(let id), .speechBegan(let id), .speechEnded(let id), .remoteMusicStarted(let id),
      .remoteMusicFinished(let id), .remoteSourceChanged(let id, _), .remoteMuted(let id, _):
      id.channelID
    case .remoteAudioState(let change): change.speaker.channelID
    case .remoteAudioStatistics(let statistics): statistics.speaker.channelID
    default: nil
    }
  }
}
