import AudioGraph
import Effects
import FrameObservers
import VoiceProcessing

/// The path of one voice to the point just before it is sent.
///
///     source ▶ record gain ▶ [voice only] ▶ [pitch] ▶ + published music ▶ limiter ▶ (RECORD)
struct Uplink {
  let recordGain: GainNode
  let limiter: LimiterNode
  /// Node; its output 0 is the voice alone, behind its gain.
  let voice: NodeID
  let mixer: NodeID
  /// Node; its output 0 is the sent sound.
  let anchor: NodeID
  let place: FrameOrigin
  private let nodes: [NodeID]
  /// Channels of the sent sound; the mixer gives each of them the samples of a mono voice.
  let channelCount: Int
  /// Channels of the voice alone.
  let voiceChannelCount: Int
  private let name: String
  /// Change of the pitch; nil until a pitch is requested. From then on its delay stays.
  private(set) var pitch: (wanted: VoicePitch, node: PitchShiftNode, id: NodeID)?
  /// Voice-only mode; nil until it is switched on. From then on its delay stays.
  private(set) var voiceOnly: (isOn: Bool, node: NoiseSuppressorNode, id: NodeID)?

  init(
    after source: NodeID, channelCount: Int, sentChannelCount: Int, place: FrameOrigin, volume: Volume,
    pitch: VoicePitch?, isVoiceOnly: Bool, name: String,
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
    anchor = try hub.addTapPoint(place, named: "record \(name)", format: format, after: limit)
    nodes = [voice, mixer, limit]
    if isVoiceOnly { try setVoiceOnly(true, graph: graph) }
    if let pitch { try setPitch(pitch, graph: graph) }
  }

  /// Node; its output 0 is the voice as it is sent, except for the change of pitch. Volume and pitch are measured
  /// there.
  var measured: NodeID { voiceOnly?.id ?? voice }

  /// Node; its output 0 is the voice as it is sent, without music.
  var voiceEnd: NodeID { pitch?.id ?? measured }

  /// Whether the sent sound can be louder than the incoming voice.
  ///
  /// A sound can have higher peaks than before after parts of it are removed.
  var raisesLevel: Bool {
    recordGain.linearGain > 1 || voiceOnly?.isOn == true || pitch.map { $0.wanted.ratio != .unchanged } ?? false
  }

  /// Changes the pitch between record gain and mixer; the first change adds a node, and another mode replaces it.
  mutating func setPitch(_ wanted: VoicePitch, graph: Graph) throws {
    if let pitch, pitch.wanted.mode == wanted.mode, pitch.wanted.keepsFormants == wanted.keepsFormants {
      self.pitch!.wanted = wanted
      return pitch.node.set(wanted.ratio)
    }
    if let pitch { try graph.remove(pitch.id) }
    let node = PitchShiftNode(
      channelCount: voiceChannelCount, sampleRate: graph.sampleRate, mode: wanted.mode, ratio: wanted.ratio,
      keepsFormants: wanted.keepsFormants)
    let id = try graph.add(node, named: "voice pitch \(name)")
    pitch = (wanted, node, id)
    try connectVoice(graph)
  }

  /// Lets only speech through, or everything again; the first request adds a node.
  mutating func setVoiceOnly(_ isOn: Bool, graph: Graph) throws {
    if let voiceOnly {
      self.voiceOnly!.isOn = isOn
      return voiceOnly.node.set(isOn: isOn)
    }
    guard isOn else { return }
    let node = NoiseSuppressorNode(channelCount: voiceChannelCount, sampleRate: graph.sampleRate)
    voiceOnly = (isOn, node, try graph.add(node, named: "voice only \(name)"))
    try connectVoice(graph)
  }

  /// Connects the nodes that change the voice, between its gain and the mixer.
  private func connectVoice(_ graph: Graph) throws {
    let way = [voice] + [voiceOnly?.id, pitch?.id].compactMap { $0 } + [mixer]
    let wanted = Array(zip(way, way.dropFirst()))
    let old = graph.connections.filter { way.contains($0.source.node) && way.contains($0.target.node) }
    for connection in old where !wanted.contains(where: { $0 == (connection.source.node, connection.target.node) }) {
      try graph.disconnect(connection.id)
    }
    for (from, to) in wanted where !old.contains(where: { $0.source.node == from && $0.target.node == to }) {
      try graph.connect(from, to: to)
    }
  }

  func remove(from graph: Graph, hub: ObserverHub) throws {
    try hub.removePlace(place)
    for node in nodes + [voiceOnly?.id, pitch?.id].compactMap({ $0 }) { try graph.remove(node) }
  }
}
