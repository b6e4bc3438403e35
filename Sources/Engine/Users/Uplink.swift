import AudioGraph
import Effects
import FrameObservers
import VoiceProcessing

/// The way of one voice to the point where it is about to be sent.
///
///     source ▶ record gain ▶ [voice only] ▶ [pitch] ▶ + published music ▶ limiter ▶ (RECORD)
struct Uplink {
  let recordGain: GainNode
  let limiter: LimiterNode
  /// Its output 0 is the voice alone, behind its gain.
  let voice: NodeID
  let mixer: NodeID
  /// Its output 0 is what is sent.
  let anchor: NodeID
  let place: FrameOrigin
  private let nodes: [NodeID]
  /// Channels of what is sent; the mixer gives each of them what a mono voice has.
  let channelCount: Int
  /// Channels of the voice alone.
  let voiceChannelCount: Int
  private let name: String
  /// Nil until a pitch is asked for; from then on its delay stays.
  private(set) var pitch: (wanted: VoicePitch, node: PitchShiftNode, id: NodeID)?
  /// Nil until the mode is switched on; from then on its delay stays.
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

  /// Its output 0 is the voice as it is sent, but for what changes its pitch: where volume and pitch are measured.
  var measured: NodeID { voiceOnly?.id ?? voice }

  /// True where what is sent can be louder than what comes in.
  ///
  /// A sound that parts are taken from can have higher peaks than before.
  var raisesLevel: Bool {
    recordGain.linearGain > 1 || voiceOnly?.isOn == true || pitch.map { $0.wanted.ratio != .unchanged } ?? false
  }

  /// Changes the pitch between record gain and mixer; a node comes with the first change, and anew with another mode.
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

  /// Lets speech alone through, or everything again; a node comes when that is first asked for.
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

  /// Connects what changes the voice, between its gain and the mixer.
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
