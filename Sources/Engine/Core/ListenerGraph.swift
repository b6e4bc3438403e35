import AudioGraph
import Effects
import FrameObservers

/// The nodes that every pipeline has: the listener's playback and mixed paths.
///
///     users ▶ mixer ▶ playback gain ▶ limiter ▶ (PLAYBACK) ─┐
///     listener's own RECORD, music heard locally only ──────┴▶ mixer ▶ limiter ▶ (MIXED) ▶ sinks
struct ListenerGraph {
  let playbackMixer: NodeID
  let playbackGain: GainNode
  let playbackLimiter: LimiterNode
  let playback: NodeID
  let mixedMixer: NodeID
  let mixedLimiter: LimiterNode
  let mixed: NodeID
  let format: AudioFormat
  private let channelID: String
  private let nodes: [NodeID]

  init(format: AudioFormat, channelID: String, graph: Graph, hub: ObserverHub) throws {
    self.format = format
    self.channelID = channelID
    let channels = format.channelCount
    playbackMixer = try graph.add(MixerNode(channelCount: channels), named: "playback mixer")
    playbackGain = GainNode(channelCount: channels)
    let gain = try graph.add(playbackGain, named: "playback gain")
    playbackLimiter = LimiterNode(channelCount: channels, sampleRate: format.sampleRate, isArmed: false)
    let limiter = try graph.add(playbackLimiter, named: "playback limiter")
    try graph.connect(playbackMixer, to: gain)
    try graph.connect(gain, to: limiter)
    playback = try hub.addTapPoint(
      FrameOrigin(position: .playback, channelID: channelID), named: "playback", format: format, after: limiter)
    mixedMixer = try graph.add(MixerNode(channelCount: channels), named: "mixed mixer")
    mixedLimiter = LimiterNode(channelCount: channels, sampleRate: format.sampleRate, isArmed: false)
    let last = try graph.add(mixedLimiter, named: "mixed limiter")
    try graph.connect(playback, to: mixedMixer)
    try graph.connect(mixedMixer, to: last)
    mixed = try hub.addTapPoint(
      FrameOrigin(position: .mixed, channelID: channelID), named: "mixed", format: format, after: last)
    let end = try graph.add(NullSinkNode(channelCount: channels), named: "end of mixed")
    try graph.connect(mixed, to: end)
    nodes = [playbackMixer, gain, limiter, mixedMixer, last, end]
  }

  /// Removes all of these nodes, for a program that only observes users. Nothing may be connected to them any more.
  func remove(from graph: Graph, hub: ObserverHub) throws {
    for position in [ObserverPosition.playback, .mixed] {
      try hub.removePlace(FrameOrigin(position: position, channelID: channelID))
    }
    for node in nodes { try graph.remove(node) }
  }
}
