import AudioGraph
import Devices
import Effects
import Engine
import FrameObservers
import MediaStreams
import Metering
import OpusCodec
import PitchDetection
import VoiceProcessing

/// A graph of every kind of node and observer, and the changes that it goes through. Thread: control.
///
///     noise ▶ gain ▶ limiter ▶ pitch ▶ (RECORD) ─┬─▶ (EAR MONITORING) ┐   RECORD, BEFORE MIXING ▶ meters
///     noise ▶ codec ▶ pan ───────────────────────────────────────────┤
///     noise ▶ sender    receiver ────────────────────────────────────┤
///     sound ▶ player ────────────────────────────────────────────────┤
///     microphone ────────────────────────────────────────────────────┤           (PLAYBACK) ▶ loudspeaker
///     ring ▶ delay ▶ pitch shift ────────────────────────────────────┼▶ mix ▶ limiter ▶ (PLAYBACK) ▶ ring
///     noise ▶ voice only ▶ pitch shift ──────────────────────────────┤
///     pushed ▶ channel map ▶ (BEFORE MIXING) ▶ [plant] ──────────────┤
///     noise ▶ gain, now and then ────────────────────────────────────┘
///     RECORD + PLAYBACK ▶ mix ▶ (MIXED) ▶ end
final class GateGraph {
  let runner = GraphRunner(sampleRate: 48_000)
  private let graph: Graph
  private let hub: ObserverHub
  private let calls: CallCount
  private let mixer: NodeID
  private let gain = GainNode(channelCount: 2)
  private let pan = PanNode(inputChannelCount: 1)
  private let shift = PitchShiftNode(channelCount: 2, sampleRate: 48_000, mode: .quality, keepsFormants: true)
  private let quickShift = PitchShiftNode(channelCount: 2, sampleRate: 48_000, mode: .lowDelay)
  private let voiceOnly = NoiseSuppressorNode(channelCount: 2, sampleRate: 48_000)
  /// The branch that comes and goes.
  private var branch: [NodeID] = []
  private var nodeCount = 0
  private var comesAndGoes: ObserverRegistration?
  /// Nobody fetches from it: it drops its oldest frames.
  private let stream = FrameStream(capacity: 4, isOffline: false)

  init(_ feeds: GateFeeds, calls: CallCount, plant: Plant?) throws {
    self.calls = calls
    graph = try Graph(sampleRate: 48_000)
    hub = ObserverHub(graph: graph, isOffline: false, onRelease: Doorbell())
    mixer = try graph.add(MixerNode(channelCount: 2), named: "mixer")
    let (mono, stereo) = (
      try AudioFormat(sampleRate: 48_000, channelCount: 1), try AudioFormat(sampleRate: 48_000, channelCount: 2)
    )

    try gain.set(Decibels(6))
    let loud = try chain([
      NoiseNode(channelCount: 2, seed: 1), gain, LimiterNode(channelCount: 2, sampleRate: 48_000, isArmed: true),
      try PitchNode(channelCount: 2, sampleRate: 48_000),
    ])
    let record = try place(.record, stereo, after: loud)
    try measure(record, channelCount: 2)
    try graph.connect(try place(.earMonitoring, stereo, after: record), to: mixer)
    try graph.connect(
      try chain([NoiseNode(channelCount: 1, seed: 2), try CodecNode(channelCount: 1), pan]), to: mixer)
    try graph.connect(try chain([feeds.player]), to: mixer)
    try graph.connect(try chain([feeds.devices.source.node]), to: mixer)
    _ = try chain([NoiseNode(channelCount: 1, seed: 7), feeds.sender.node])
    try graph.connect(try chain([feeds.receiver.node]), to: mixer)
    try graph.connect(
      try chain([feeds.source, DelayNode(samples: 100, channelCount: 2, sampleRate: 48_000), shift]), to: mixer)
    try graph.connect(try chain([NoiseNode(channelCount: 2, seed: 5), voiceOnly, quickShift]), to: mixer)
    var pushed = try place(.beforeMixing, mono, after: try chain([feeds.push.node, ChannelMapNode(from: 2, to: 1)]))
    try measure(pushed, channelCount: 1)
    if let plant, plant == .malloc || plant == .lock {
      let id = try graph.add(PlantNode(plant, channelCount: 1), named: "plant")
      try graph.connect(pushed, to: id)
      pushed = id
    }
    try graph.connect(pushed, to: mixer)
    let limiter = try graph.add(
      LimiterNode(channelCount: 2, sampleRate: 48_000, isArmed: false), named: "last limiter")
    try graph.connect(mixer, to: limiter)
    let playback = try place(.playback, stereo, after: limiter)
    try graph.connect(playback, to: try graph.add(feeds.sink, named: "ring"))
    try graph.connect(playback, to: try graph.add(feeds.devices.sink.node, named: "loudspeaker"))
    let both = try graph.add(MixerNode(channelCount: 2), named: "both directions")
    try graph.connect(record, to: both)
    try graph.connect(playback, to: both)
    let mixed = try place(.mixed, stereo, after: both)
    try graph.connect(mixed, to: try graph.add(NullSinkNode(channelCount: 2), named: "end"))
    try registerObservers()
    try runner.install(graph)
  }

  /// Changes the graph, a parameter or the observers, and brings the change to the audio thread.
  func edit(_ index: Int) throws {
    switch index % 6 {
    case 0:
      let before = Set(graph.nodes)
      try graph.connect(try chain([NoiseNode(channelCount: 1, seed: 3), GainNode(channelCount: 1)]), to: mixer)
      branch = graph.nodes.filter { !before.contains($0) }
    case 1:
      try gain.set(Decibels(Double(index % 13)))
      try pan.set(try Panning(Double(index % 21) / 10 - 1))
      shift.set(try PitchRatio(semitones: Double(index % 25) - 12))
      quickShift.set(try PitchRatio(semitones: Double(index % 5) - 2))
      voiceOnly.set(isOn: index % 4 != 3)
    case 2:
      let params = try AudioParams(sampleRate: 32_000, channelCount: 2, access: .readWrite, samplesPerCall: 640)
      comesAndGoes = try hub.add(change(params: [.playback: params], at: .playback))
    case 3:
      comesAndGoes?.mask = index % 12 == 3 ? [] : .playback
    case 4:
      for node in branch { try graph.remove(node) }
      branch = []
    default:
      comesAndGoes?.remove()
      comesAndGoes = nil
      try hub.sweep()
    }
    try runner.install(graph)
  }

  /// Adds nodes one behind the other. Returns: the last.
  private func chain(_ nodes: [any AudioNode]) throws -> NodeID {
    var tail: NodeID?
    for node in nodes {
      nodeCount += 1
      let id = try graph.add(node, named: "node \(nodeCount)")
      if let tail { try graph.connect(tail, to: id) }
      tail = id
    }
    return tail!
  }

  /// Hangs meters beside a path; nobody fetches what they find, so that their rings run full.
  private func measure(_ node: NodeID, channelCount: Int) throws {
    let meter = LevelMeterNode(channelCount: channelCount, sampleRate: graph.sampleRate, detectsVoice: true)
    nodeCount += 1
    try graph.connect(node, to: try graph.add(meter, named: "meter \(nodeCount)"))
    let pitch = try PitchMeterNode(AudioFormat(sampleRate: graph.sampleRate, channelCount: channelCount))
    try graph.connect(node, to: try graph.add(pitch, named: "pitch meter \(nodeCount)"))
  }

  private func place(_ position: ObserverPosition, _ format: AudioFormat, after node: NodeID) throws -> NodeID {
    try hub.addTapPoint(
      FrameOrigin(position: position, channelID: ""), named: "position \(position.rawValue)", format: format,
      after: node)
  }

  private func registerObservers() throws {
    let everywhere = ObserverPosition(ObserverPosition.each)
    let small = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 320)
    let writable = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    for isAsynchronous in [false, true] {
      _ = try hub.add(look(at: everywhere, params: [:], isAsynchronous: isAsynchronous))
      _ = try hub.add(look(at: everywhere, params: [.playback: small, .record: small], isAsynchronous: isAsynchronous))
    }
    _ = try hub.add(stream.request(at: .mixed))
    _ = try hub.add(.observer(ProtocolObserver(calls), mask: everywhere))
    _ = try hub.add(change(params: [:], at: everywhere))
    _ = try hub.add(change(params: [.beforeMixing: writable], at: .beforeMixing))
  }

  private func look(
    at mask: ObserverPosition, params: [ObserverPosition: AudioParams], isAsynchronous: Bool
  ) -> ObserverRequest {
    .readOnly(at: mask, params: params, isAsynchronous: isAsynchronous, capacity: 4) { [calls] frame, _ in
      calls.add(frame.samples[0])
    }
  }

  /// Halves the samples, and asks for silence now and then.
  private func change(params: [ObserverPosition: AudioParams], at mask: ObserverPosition) -> ObserverRequest {
    .readWrite(at: mask, params: params) { [calls] frame, _ in
      var samples = frame.samples
      for index in samples.indices { samples[index] = samples[index] &>> 1 }
      calls.add(samples[0])
      if frame.samplePosition % 48_000 < 4_800 { frame.mute() }
    }
  }

  /// Frees what the audio thread has given back, and ends the observers' threads.
  func finish() {
    runner.collect()
    hub.finish()
  }
}
