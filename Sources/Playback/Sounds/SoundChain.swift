package import AudioGraph
package import Effects

/// A sound with all nodes between it and its target's mixer.
///
///     player ▶ gain ▶ [pan, or channels] ▶ mixer of its target
package struct SoundChain {
  package let player: SoundPlayer
  package let nodes: [NodeID]
  private let gain: GainNode
  private let pan: PanNode?

  /// Adds the nodes to the graph and connects them, without the connection to the mixer.
  ///
  /// - Parameters:
  ///   - player: player of the sound.
  ///   - settings: volume and panning of the sound.
  ///   - channelCount: channel count of the target's mixer.
  ///   - name: name of the player's node; the other nodes' names begin with it.
  ///   - graph: graph that takes the nodes.
  /// - Throws: `.invalidArgument` if the sound cannot be panned; errors of the graph.
  package init(_ player: SoundPlayer, settings: SoundSettings, channelCount: Int, name: String, graph: Graph) throws {
    let channels = player.channelCount
    let canPan = channels <= 2 && channelCount == 2
    guard settings.panning == .center || canPan else {
      throw EngineError(
        .invalidArgument,
        channels > 2
          ? "it has \(channels) channels, and only one or two can be panned"
          : "what it is mixed with has \(channelCount) channel\(channelCount == 1 ? "" : "s"), and only in two can it be "
            + "panned; give a mono voice sentChannelCount 2, or do not publish it")
    }
    self.player = player
    gain = GainNode(channelCount: channels, volume: settings.volume)
    pan = canPan ? PanNode(inputChannelCount: channels) : nil
    try pan?.set(settings.panning)
    var nodes: [NodeID] = []
    func append(_ node: any AudioNode, _ suffix: String) throws {
      let id = try graph.add(node, named: name + suffix)
      if let last = nodes.last { try graph.connect(last, to: id) }
      nodes.append(id)
    }
    try append(player.node, "")
    try append(gain, " gain")
    if let pan {
      try append(pan, " pan")
    } else if channels != 1, channels != channelCount {
      try append(ChannelMapNode(from: channels, to: channelCount), " channels")
    }
    self.nodes = nodes
  }

  package func set(_ volume: Volume) { gain.set(volume) }
}
