import AudioGraph
import TestSupport

/// Edits a graph at random, from a seed. Every gain lies in 0.25...1, so that no path is louder than its source.
///
///     source ▶ up to 2 gains and delays ─┬───────────────────────────────▶ mixer ▶ step meter
///     source ▶ up to 2 gains and delays ─┴▶ bus ▶ up to 2 gains and delays ▶┘
final class RandomEdits {
  /// Of one node, in samples.
  static let longestDelay = 700

  let graph: Graph
  let meter = StepMeter()
  /// What no edit concerns.
  let unaffectedPath = UnaffectedPath()
  /// Sources in the graph now, with their way to the meter.
  var paths: [Path] {
    voices.map { voice in
      let nodes = voice.chain + (voice.goesToBus ? busChain : [])
      return Path(
        source: voice.source, gain: nodes.reduce(1) { $0 * (gains[$1] ?? 1) }, goesThroughBus: voice.goesToBus)
    }
  }
  /// Every node that ever was in a chain.
  private(set) var history: [WeakNode] = []
  /// Edits so far, by kind.
  private(set) var counts: [String: Int] = [:]
  private var voices: [Voice] = []
  private var busChain: [NodeID] = []
  private let bus: NodeID
  private let mixer: NodeID
  private let maximumVoices: Int
  private var generator: SeededGenerator
  private var gains: [NodeID: Double] = [:]
  private var nextName = 0

  struct Path {
    let source: SineSource
    let gain: Double
    let goesThroughBus: Bool
  }

  struct WeakNode {
    weak var node: (any AudioNode)?
  }

  private struct Voice {
    let source: SineSource
    /// The source first.
    var chain: [NodeID]
    var goesToBus: Bool
  }

  init(seed: Int, maximumVoices: Int, sampleRate: Int = 48_000) throws {
    graph = try Graph(sampleRate: sampleRate)
    generator = SeededGenerator(seed: UInt64(seed))
    self.maximumVoices = maximumVoices
    mixer = try graph.add(MixerNode(channelCount: 1), named: "mixer")
    bus = try graph.add(MixerNode(channelCount: 1), named: "bus")
    try graph.connect(bus, to: mixer)
    try graph.connect(mixer, to: graph.add(meter, named: "meter"))
    try unaffectedPath.add(to: graph)
  }

  /// Makes one edit, after which the graph compiles.
  func edit() throws {
    let chains = voices.indices.map { Optional($0) } + [nil]
    let chain = chains.randomElement(using: &generator)!
    let kind: String
    switch Int.random(in: 0..<10, using: &generator) {
    case 0,
      1 where voices.count < maximumVoices:
      kind = try addVoice()
    case 2 where !voices.isEmpty: kind = try removeVoice(Int.random(in: voices.indices, using: &generator))
    case 3, 4, 5: kind = try insertNode(voice: chain)
    case 6, 7: kind = try removeNode(voice: chain)
    case 8 where !voices.isEmpty: kind = try reconnect(Int.random(in: voices.indices, using: &generator))
    default: kind = try replaceNode(voice: chain)
    }
    counts[kind, default: 0] += 1
  }

  /// Removes every chain.
  func clear() throws {
    while !voices.isEmpty { _ = try removeVoice(0) }
    while !busChain.isEmpty { try remove(0, voice: nil) }
  }

  private func add(_ node: any AudioNode) throws -> NodeID {
    nextName += 1
    history.append(WeakNode(node: node))
    return try graph.add(node, named: "node \(nextName)")
  }

  private func addEffect() throws -> NodeID {
    if Bool.random(using: &generator) {
      let gain = Float.random(in: 0.25...1, using: &generator)
      let id = try add(GainNode(gain))
      gains[id] = Double(gain)
      return id
    }
    let delay = Int.random(in: 0...Self.longestDelay, using: &generator)
    return try add(DelayNode(samples: delay, channelCount: 1, sampleRate: graph.sampleRate))
  }

  private func addVoice() throws -> String {
    let source = SineSource(
      peak: 0.1, hertz: [0, 0.5, 1].randomElement(using: &generator)!,
      phase: Double.random(in: 0...6, using: &generator), sampleRate: graph.sampleRate)
    var chain = [try add(source)]
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      chain.append(try addEffect())
      try graph.connect(chain[chain.count - 2], to: chain[chain.count - 1])
    }
    let voice = Voice(source: source, chain: chain, goesToBus: Bool.random(using: &generator))
    try graph.connect(chain.last!, to: voice.goesToBus ? bus : mixer)
    voices.append(voice)
    return "add source"
  }

  private func removeVoice(_ index: Int) throws -> String {
    for node in voices.remove(at: index).chain { try graph.remove(node) }
    return "remove source"
  }

  private func reconnect(_ index: Int) throws -> String {
    let end = voices[index].chain.last!
    try disconnect(from: end)
    if Bool.random(using: &generator) { voices[index].goesToBus.toggle() }
    try graph.connect(end, to: voices[index].goesToBus ? bus : mixer)
    return "reconnect"
  }

  private func disconnect(from node: NodeID) throws {
    try graph.disconnect(graph.connections.first { $0.source.node == node }!.id)
  }

  /// The nodes of a chain with its fixed beginning and its end; the bus's for nil.
  private func links(_ voice: Int?) -> [NodeID] {
    guard let voice else { return [bus] + busChain + [mixer] }
    return voices[voice].chain + [voices[voice].goesToBus ? bus : mixer]
  }

  private func setChain(_ nodes: [NodeID], _ voice: Int?) {
    if let voice { voices[voice].chain = nodes } else { busChain = Array(nodes.dropFirst()) }
  }

  private func insertNode(voice: Int?) throws -> String {
    var nodes = links(voice)
    guard nodes.count < 4 else { return try removeNode(voice: voice) }
    let place = Int.random(in: 1..<nodes.count, using: &generator)
    try disconnect(from: nodes[place - 1])
    let node = try addEffect()
    try graph.connect(nodes[place - 1], to: node)
    try graph.connect(node, to: nodes[place])
    nodes.insert(node, at: place)
    setChain(nodes.dropLast(), voice)
    return "insert node"
  }

  private func removeNode(voice: Int?) throws -> String {
    let count = links(voice).count
    guard count > 2 else { return "nothing" }
    try remove(Int.random(in: 0..<(count - 2), using: &generator), voice: voice)
    return "remove node"
  }

  private func remove(_ index: Int, voice: Int?) throws {
    var nodes = links(voice)
    try graph.remove(nodes.remove(at: index + 1))
    try graph.connect(nodes[index], to: nodes[index + 1])
    setChain(nodes.dropLast(), voice)
  }

  private func replaceNode(voice: Int?) throws -> String {
    var nodes = links(voice)
    guard nodes.count > 2 else { return "nothing" }
    let place = Int.random(in: 1..<(nodes.count - 1), using: &generator)
    try graph.remove(nodes[place])
    nodes[place] = try addEffect()
    try graph.connect(nodes[place - 1], to: nodes[place])
    try graph.connect(nodes[place], to: nodes[place + 1])
    setChain(nodes.dropLast(), voice)
    return "replace node"
  }
}
