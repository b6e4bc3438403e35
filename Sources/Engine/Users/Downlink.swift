import AudioGraph
import Effects
import FrameObservers

/// The path of one remote user to the listener's ears.
///
///     decoded ▶ (BEFORE MIXING) ▶ gain ▶ pan ▶ playback mixer
struct Downlink {
  let gain: GainNode
  let pan: PanNode?
  let place: FrameOrigin
  /// Node; its output 0 is the user before it is mixed.
  let anchor: NodeID
  private(set) var nodes: [NodeID]
  let level: Decibels
  var panning: Panning

  init(
    after source: NodeID, channelCount: Int, place: FrameOrigin, options: UserOptions, name: String,
    playbackMixer: NodeID, playbackChannelCount: Int, graph: Graph, hub: ObserverHub
  ) throws {
    self.place = place
    level = options.gain
    panning = options.panning
    let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: channelCount)
    anchor = try hub.addTapPoint(place, named: "before mixing \(name)", format: format, after: source)
    gain = GainNode(channelCount: channelCount)
    var nodes = [try graph.add(gain, named: "user gain \(name)")]
    try graph.connect(anchor, to: nodes[0])
    if playbackChannelCount == 2, channelCount <= 2 {
      let pan = PanNode(inputChannelCount: channelCount)
      try pan.set(options.panning)
      self.pan = pan
      nodes.append(try graph.add(pan, named: "pan \(name)"))
    } else {
      pan = nil
      if channelCount != playbackChannelCount {
        let map = ChannelMapNode(from: channelCount, to: playbackChannelCount)
        nodes.append(try graph.add(map, named: "channels \(name)"))
      }
    }
    if nodes.count == 2 { try graph.connect(nodes[0], to: nodes[1]) }
    try graph.connect(nodes.last!, to: playbackMixer)
    self.nodes = nodes
  }

  func remove(from graph: Graph, hub: ObserverHub) throws {
    try hub.removePlace(place)
    for node in nodes { try graph.remove(node) }
  }

  /// Removes the path behind BEFORE MIXING; observation there continues.
  mutating func removeWay(from graph: Graph) throws {
    for node in nodes { try graph.remove(node) }
    nodes = []
  }

  /// Whether this user can come out louder than it came in.
  var raisesLevel: Bool { level.value > 0 || panning != .center }

  /// Brings level and volume, which multiply, and the panning to the audio thread.
  func apply(userVolume: Volume, positionGain: Volume) throws {
    if userVolume.percent == 0 {
      gain.set(userVolume)
    } else {
      try gain.set(Decibels(level.value + Decibels(linearGain: userVolume.linearGain).value))
    }
    try pan?.set(panning, gain: positionGain)
  }
}
