import AudioGraph
import Effects
import OpusCodec

/// A user that the listener hears: the source of its audio, and its path while it is not muted.
struct RemoteUser {
  let key: UserKey
  var source: any AudioSource
  var sourceNode: NodeID
  var options: UserOptions
  /// Whether a mute was requested; it outlives disabling audio.
  var isMuted = false
  /// Whether the user keeps its stream back, as signaling reports.
  var isMutedByItself = false
  /// Volume of `adjustUserPlaybackSignalVolume`, 0 to 100.
  var userVolume = Volume.unchanged
  /// Gain of `setRemoteVoicePosition`, 0 to 100.
  var positionGain = Volume.unchanged
  /// Whether the user mixes music into the sound that it sends, as it has reported.
  var playsMusic = false
  /// Whether the user's own uplink runs here too (files offline); false if frames arrive decoded.
  let hasUplink: Bool
  var uplink: Uplink?
  var codec: (node: CodecNode, id: NodeID)?
  var downlink: Downlink?
  /// Sink that takes the source's frames while the user is not heard.
  var idleSink: NodeID?
  /// Whether a tap point lies before that sink: frames of muted users can be observed.
  var hasIdleTap = false
  /// Channels of the sound that arrives at the listener.
  var channelCount: Int { hasUplink ? options.sentChannelCount ?? source.channelCount : source.channelCount }

  var isHeard: Bool { downlink != nil }

  /// Whether this user can come out louder than it came in; a codec can do that to full scale.
  var raisesLevel: Bool { codec != nil || downlink?.raisesLevel == true }

  var name: String { key.name }
}
