import AudioGraph
import Effects

/// The nodes for the local user's own sound on its way to the loudspeaker.
///
///     sounds ▶ gain ─▶ mixer ▶ channels
struct OwnSound {
  /// Channels of the sent sound.
  let channelCount: Int
  /// Mixer of music and effects that are sent.
  let sounds: NodeID
  let gain: GainNode
  let gainID: NodeID
  /// Mixer of those sounds and ear monitoring. The owner connects the gain to it.
  let mixer: NodeID
  /// Node; its output 0 has the channels of the mix.
  let output: NodeID

  init(channelCount: Int, mixChannelCount: Int, graph: Graph) throws {
    self.channelCount = channelCount
    gain = GainNode(channelCount: channelCount)
    sounds = try graph.add(MixerNode(channelCount: channelCount), named: "playout of sent sounds")
    gainID = try graph.add(gain, named: "playout gain of sent sounds")
    mixer = try graph.add(MixerNode(channelCount: channelCount), named: "playout of own sound")
    output = try graph.add(
      ChannelMapNode(from: channelCount, to: mixChannelCount), named: "playout channels of own sound")
    try graph.connect(sounds, to: gainID)
    try graph.connect(mixer, to: output)
  }

  var nodes: [NodeID] { [sounds, gainID, mixer, output] }
}
