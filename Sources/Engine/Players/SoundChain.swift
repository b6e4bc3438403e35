import AudioGraph
import Effects

/// A sound with everything that is between it and the mixer where it is heard.
///
///     player ▶ [pitch] ▶ gain ▶ [pan, or channels] ▶ mixer of its target
struct SoundChain {
  let player: SoundPlayer
  let nodes: [NodeID]
  /// Samples by which it is heard later than it is played.
  let delay: Int
  private let gain: GainNode
  private let pan: PanNode?

  /// Adds the nodes to the graph, all but the last connection.
  ///
  /// - Parameter channelCount: what the target's mixer has.
  init(_ player: SoundPlayer, settings: SoundSettings, channelCount: Int, name: String, graph: Graph) throws {
    let channels = player.channelCount
    let canPan = channels <= 2 && channelCount == 2
    guard settings.panning == .center || canPan else {
      throw EngineError(
        .invalidArgument,
        "\(name) cannot be panned: that needs a mono or stereo sound, and stereo where it is mixed in")
    }
    guard settings.pitch == .unchanged || channels <= 2 else {
      throw EngineError(.invalidArgument, "the pitch of \(channels) channels cannot be changed, only of 1 or 2")
    }
    self.player = player
    gain = GainNode(channelCount: channels, volume: settings.volume)
    // Nobody else waits for its delay: who plays the sound begins earlier, and the player plays silence behind it.
    let pitch =
      settings.pitch == .unchanged
      ? nil
      : PitchShiftNode(
        channelCount: channels, sampleRate: graph.sampleRate, mode: .quality, ratio: settings.pitch)
    delay = pitch?.latency ?? 0
    player.setTail(delay)
    pan = canPan ? PanNode(inputChannelCount: channels) : nil
    try pan?.set(settings.panning)
    var nodes: [NodeID] = []
    func append(_ node: any AudioNode, _ suffix: String) throws {
      let id = try graph.add(node, named: name + suffix)
      if let last = nodes.last { try graph.connect(last, to: id) }
      nodes.append(id)
    }
    try append(player.node, "")
    if let pitch { try append(UnalignedNode(pitch), " pitch") }
    try append(gain, " gain")
    if let pan {
      try append(pan, " pan")
    } else if channels != 1, channels != channelCount {
      try append(ChannelMapNode(from: channels, to: channelCount), " channels")
    }
    self.nodes = nodes
  }

  func set(_ volume: Volume) { gain.set(volume) }
}
