import AudioGraph
import Effects

/// The sound of a loudspeaker, while a sink takes it.
///
///     (PLAYBACK), music that is only heard here ──────────────────────┬▶ mixer ▶ limiter ▶ sinks
///     music and effects that are sent ▶ mixer ▶ gain ─┬▶ mixer ▶ channels ┘
///     (EAR MONITORING) ───────────────────────────────┘
///
/// Ear monitoring carries the sent music too, at its own volume. The gain takes that part off, so that each sound is
/// heard once. Up to a volume of 100, ear monitoring does not change the level of music.
///
/// Thread: control, under the pipeline's lock.
final class PlayoutState: PipelineFeature {
  private let core: PipelineCore
  private let users: UsersState
  private let sounds: SoundsState
  private var mixer: NodeID?
  private var own: OwnSound?
  /// Limiter of the sum; nil without a sink.
  private(set) var limiter: LimiterNode?
  /// Whether the sum can be louder than PLAYBACK.
  private(set) var raisesLevel = false

  /// - Parameters:
  ///   - core: Parts that every feature uses.
  ///   - users: The users; the local one can hear itself.
  ///   - sounds: Reconciled before this feature.
  init(_ core: PipelineCore, users: UsersState, sounds: SoundsState) {
    self.core = core
    self.users = users
    self.sounds = sounds
  }

  var isActive: Bool { false }
  func collect() {}

  /// Returns the node that sinks connect to; the first call adds it. Within an edit.
  func connect() throws -> NodeID {
    if let output = core.playout { return output }
    let channelCount = core.listener.format.channelCount
    let limiter = LimiterNode(channelCount: channelCount, sampleRate: core.graph.sampleRate, isArmed: false)
    let mixer = try core.graph.add(MixerNode(channelCount: channelCount), named: "playout mixer")
    let output = try core.graph.add(limiter, named: "playout limiter")
    try core.graph.connect(mixer, to: output)
    self.mixer = mixer
    self.limiter = limiter
    core.playout = output
    return output
  }

  /// Connects every sound that the local user hears now.
  func reconcile(graph: Graph) throws {
    guard let mixer else { return }
    try reconcileOwnSound(mixer)
    let heard = sounds.music.filter { $0.mixer != nil }
    let loopback = heard.filter { $0.target == .loopback }
    let published = heard.filter { $0.target == .publishedByLocalUser }
    let ear = users.local?.ear
    var wanted = ([core.listener.playback] + loopback.map { $0.nodes.last! }).map { Path(from: $0, to: mixer) }
    if let own {
      wanted += published.map { Path(from: $0.nodes.last!, to: own.sounds) }
      wanted += [Path(from: own.gainID, to: own.mixer), Path(from: own.output, to: mixer)]
      if let ear { wanted.append(Path(from: ear.anchor, to: own.mixer)) }
      let rest = ear == nil ? 100 : max(0, 100 - (users.local?.earVolume?.percent ?? 0))
      own.gain.set(try Volume(rest))
    }
    raisesLevel = ear != nil || !loopback.isEmpty || !published.isEmpty
    try connect(wanted, into: [mixer] + (own.map { [$0.sounds, $0.mixer] } ?? []))
  }

  /// A connection between two nodes.
  private struct Path: Hashable {
    let from: NodeID
    let to: NodeID
  }

  /// Gives mixers these inputs and no others.
  private func connect(_ wanted: [Path], into mixers: [NodeID]) throws {
    var missing = Set(wanted)
    for connection in core.graph.connections where mixers.contains(connection.target.node) {
      let path = Path(from: connection.source.node, to: connection.target.node)
      if missing.remove(path) == nil { try core.graph.disconnect(connection.id) }
    }
    // In the order of `wanted`: a sum of floats depends on it.
    for path in wanted where missing.contains(path) { try core.graph.connect(path.from, to: path.to) }
  }

  private func reconcileOwnSound(_ mixer: NodeID) throws {
    let wanted = users.local?.sentChannelCount
    if let own, own.channelCount != wanted {
      for node in own.nodes { try core.graph.remove(node) }
      self.own = nil
    }
    guard own == nil, let wanted else { return }
    own = try OwnSound(channelCount: wanted, mixChannelCount: core.listener.format.channelCount, graph: core.graph)
  }
}
