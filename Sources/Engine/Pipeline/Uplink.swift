import AudioGraph
import Effects
import FrameObservers

/// The way of one voice to the point where it is about to be sent.
///
///     source ▶ record gain ▶ [pitch] ▶ + published music ▶ limiter ▶ (RECORD)
struct Uplink {
  let recordGain: GainNode
  let limiter: LimiterNode
  /// Its output 0 is the voice alone, behind its gain.
  let voice: NodeID
  let mixer: NodeID
  /// Its output 0 is what is sent.
  let anchor: NodeID
  let place: FrameSource
  private let nodes: [NodeID]
  /// Channels of what is sent; the mixer gives each of them what a mono voice has.
  let channelCount: Int
  /// Channels of the voice alone.
  let voiceChannelCount: Int
  private let name: String
  /// Nil until a pitch is asked for; from then on its delay stays.
  private(set) var pitch: (wanted: VoicePitch, node: PitchShiftNode, id: NodeID)?

  init(
    after source: NodeID, channelCount: Int, sentChannelCount: Int, place: FrameSource, volume: Volume,
    pitch: VoicePitch?, name: String,
    graph: Graph, hub: ObserverHub
  ) throws {
    self.name = name
    self.place = place
    self.channelCount = sentChannelCount
    voiceChannelCount = channelCount
    recordGain = GainNode(channelCount: channelCount, volume: volume)
    limiter = LimiterNode(channelCount: sentChannelCount, sampleRate: graph.sampleRate, isArmed: false)
    voice = try graph.add(recordGain, named: "record gain \(name)")
    mixer = try graph.add(MixerNode(channelCount: sentChannelCount), named: "publish \(name)")
    let limit = try graph.add(limiter, named: "record limiter \(name)")
    try graph.connect(source, to: voice)
    try graph.connect(voice, to: mixer)
    try graph.connect(mixer, to: limit)
    let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: sentChannelCount)
    anchor = try hub.addPlace(place, named: "record \(name)", format: format, after: limit)
    nodes = [voice, mixer, limit]
    if let pitch { try setPitch(pitch, graph: graph) }
  }

  /// True where what is sent can be louder than what comes in.
  var raisesLevel: Bool { recordGain.linearGain > 1 || pitch.map { $0.wanted.ratio != .unchanged } ?? false }

  /// Changes the pitch between record gain and mixer; a node comes with the first change, and anew with another mode.
  mutating func setPitch(_ wanted: VoicePitch, graph: Graph) throws {
    if let pitch, pitch.wanted.mode == wanted.mode, pitch.wanted.keepsFormants == wanted.keepsFormants {
      self.pitch!.wanted = wanted
      return pitch.node.set(wanted.ratio)
    }
    if let pitch { try graph.remove(pitch.id) }
    for connection in graph.connections where connection.source.node == voice && connection.target.node == mixer {
      try graph.disconnect(connection.id)
    }
    let node = PitchShiftNode(
      channelCount: voiceChannelCount, sampleRate: graph.sampleRate, mode: wanted.mode, ratio: wanted.ratio,
      keepsFormants: wanted.keepsFormants)
    let id = try graph.add(node, named: "voice pitch \(name)")
    try graph.connect(voice, to: id)
    try graph.connect(id, to: mixer)
    pitch = (wanted, node, id)
  }

  func remove(from graph: Graph, hub: ObserverHub) throws {
    try hub.removePlace(place)
    for node in nodes + [pitch?.id].compactMap({ $0 }) { try graph.remove(node) }
  }
}
