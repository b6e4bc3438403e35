import AudioGraph
import Effects
import FrameObservers

/// The way of one voice to the point where it is about to be sent.
///
///     source ▶ record gain ▶ + published music ▶ limiter ▶ (RECORD)
struct Uplink {
  let recordGain: GainNode
  let limiter: LimiterNode
  /// Its output 0 is the voice alone, behind its gain.
  let voice: NodeID
  let mixer: NodeID
  /// Its output 0 is what is sent.
  let anchor: NodeID
  let place: FrameSource
  let nodes: [NodeID]
  let channelCount: Int

  init(
    after source: NodeID, channelCount: Int, place: FrameSource, volume: Volume, name: String,
    graph: Graph, hub: ObserverHub
  ) throws {
    self.place = place
    self.channelCount = channelCount
    recordGain = GainNode(channelCount: channelCount, volume: volume)
    limiter = LimiterNode(channelCount: channelCount, sampleRate: graph.sampleRate, isArmed: false)
    voice = try graph.add(recordGain, named: "record gain \(name)")
    mixer = try graph.add(MixerNode(channelCount: channelCount), named: "publish \(name)")
    let limit = try graph.add(limiter, named: "record limiter \(name)")
    try graph.connect(source, to: voice)
    try graph.connect(voice, to: mixer)
    try graph.connect(mixer, to: limit)
    let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: channelCount)
    anchor = try hub.addPlace(place, named: "record \(name)", format: format, after: limit)
    nodes = [voice, mixer, limit]
  }

  func remove(from graph: Graph, hub: ObserverHub) throws {
    try hub.removePlace(place)
    for node in nodes { try graph.remove(node) }
  }
}
