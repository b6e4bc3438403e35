import AudioGraph
import Effects
import OpusCodec

/// A user that the listener hears: where its audio comes from, and its way while it is not muted.
struct RemoteUser {
  let key: UserKey
  let source: any AudioSource
  let sourceNode: NodeID
  var options: UserOptions
  /// What was asked for; it outlives disabling audio.
  var isMuted = false
  /// What signalling says: whether the user keeps its stream back.
  var isMutedByItself = false
  /// What `adjustUserPlaybackSignalVolume` says, 0 to 100.
  var userVolume = Volume.unchanged
  /// The gain of `setRemoteVoicePosition`, 0 to 100.
  var positionGain = Volume.unchanged
  /// Whether it mixes music into what it sends, as it has told.
  var playsMusic = false
  /// True where the user's own uplink runs here too (files offline), false where frames arrive decoded.
  let hasUplink: Bool
  var uplink: Uplink?
  var codec: (node: CodecNode, id: NodeID)?
  var downlink: Downlink?
  /// Takes the source's frames while the user is muted.
  var idleSink: NodeID?
  /// Channels of what arrives at the listener.
  var channelCount: Int { hasUplink ? options.sentChannelCount ?? source.channelCount : source.channelCount }

  var isHeard: Bool { downlink != nil }

  /// True where this user can come out louder than it came in; a codec can do that to full scale.
  var raisesLevel: Bool { codec != nil || downlink?.raisesLevel == true }

  var name: String { key.name }
}
