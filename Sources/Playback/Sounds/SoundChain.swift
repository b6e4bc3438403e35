package import AudioGraph
package import Effects

/// A sound with everything that is between it and the mixer where it is heard.
///
///     player ▶ gain ▶ [pan, or channels] ▶ mixer of its target
package struct SoundChain {
  package let player: SoundPlayer
  package let nodes: [NodeID]
  private let gain: GainNode
  private let pan: PanNode?

  /// Adds the nodes to the graph, all but the last connection.
  ///
  /// - Parameter channelCount: what the target's mixer has.
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
