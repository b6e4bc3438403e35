import AudioGraph
import Effects
import FrameObservers
import Playback

/// The music and the effects of a pipeline: the sounds that play, and their paths into the mixers.
///
/// Thread: control, under the pipeline's lock.
final class SoundsState: PipelineFeature, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): everything mutable is reached under the pipeline's lock; players request prefetching
  // while the ticking thread holds it.

  let core: PipelineCore
  let users: UsersState
  /// Every track in the graph, including those that have ended.
  private(set) var music: [MusicTrack] = []
  /// Number of tracks ever added, for unique names.
  private var trackCount = 0
  var effects = EffectTable()
  var mixing = MusicMixing()
  /// Sounds that have ended and are still in the graph.
  private var endedSounds: [FinishedSound] = []
  /// End of the longest sound that has left, in samples of the pipeline's time. Offline only.
  private(set) var lastEnd = 0
  /// The thread that keeps rings full; created with the first sound.
  private var prefetch: PrefetchThread?
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }
  var isPolled: Bool { false }

  /// Last nodes of the sounds for a target.
  func ends(of target: MusicTarget) -> [NodeID] { music.filter { $0.target == target }.map { $0.nodes.last! } }

  func hasMusic(_ target: MusicTarget) -> Bool { music.contains { $0.target == target } }

  /// Target of a sound that is sent along: the local user, with or without a voice.
  func publishingTarget() throws -> MusicTarget {
    try users.needLocal()
    return .publishedByLocalUser
  }

  /// Connects every track to the mixer of its target, or to its own sink while there is none.
  func reconcile(graph: Graph) throws {
    if users.local?.source.isSpareSilence == true, !hasMusic(.publishedByLocalUser) { try users.removeLocal() }
    try users.reconcileUnsent(hasMusic: hasMusic(.publishedByLocalUser))
    for (index, track) in music.enumerated() {
      let tail = track.nodes.last!
      let mixer = mixer(of: track.target)
      // A mixer that has left the graph has taken the connection along.
      if mixer == track.mixer, mixer != nil || track.idleSink != nil { continue }
      if let idle = track.idleSink { try graph.remove(idle) }
      music[index].idleSink = nil
      music[index].mixer = mixer
      if let mixer {
        try graph.connect(tail, to: mixer)
      } else {
        let idle = NullSinkNode(channelCounts: 1...AudioFormat.channelCounts.upperBound)
        let id = try graph.add(idle, named: "unheard \(try graph.name(of: track.nodes[0]))")
        try graph.connect(tail, to: id)
        music[index].idleSink = id
      }
    }
  }

  /// Removes sounds that have ended, once their last sample has come out.
  func sweep(graph: Graph) throws -> Bool {
    let heard = core.nowPosition - core.listenerLatency
    let ended = endedSounds.filter { $0.position < heard }.map(\.track)
    endedSounds.removeAll { $0.position < heard }
    if !endedSounds.isEmpty { core.run.requestSweep() }
    for track in ended {
      // Live the player belongs to the audio thread, and the end is not needed.
      if core.options.isOffline { lastEnd = max(lastEnd, track.source.endPosition ?? 0) }
      for node in track.nodes { try graph.remove(node) }
      if let idle = music.first(where: { $0.source === track.source })?.idleSink { try graph.remove(idle) }
      music.removeAll { $0.source === track.source }
    }
    return !ended.isEmpty
  }

  /// Adds music from any source.
  func add(_ source: any AudioSource, volume: Volume, to target: MusicTarget) throws {
    let graph = core.graph
    try users.checkRate(of: source)
    let channelCount = try channelCount(of: target)
    trackCount += 1
    let name = "music \(trackCount)"
    var nodes = [try graph.add(source.node, named: name)]
    func append(_ node: any AudioNode, _ suffix: String) throws {
      let id = try graph.add(node, named: "\(name) \(suffix)")
      try graph.connect(nodes.last!, to: id)
      nodes.append(id)
    }
    try append(GainNode(channelCount: source.channelCount, volume: volume), "gain")
    if source.channelCount != 1, source.channelCount != channelCount {
      try append(ChannelMapNode(from: source.channelCount, to: channelCount), "channels")
    }
    music.append(MusicTrack(source: source, target: target, nodes: nodes))
  }

  /// Adds a player and the nodes behind it.
  ///
  /// - Parameters:
  ///   - sound: The sound to play.
  ///   - plays: How often it will play; nil for ever.
  ///   - origin: First sample that will be heard, at the sound's own rate.
  ///   - settings: Level, panning and pitch of the sound.
  ///   - target: Destination of the sound.
  ///   - name: Name of its nodes in the graph.
  /// - Throws: Before anything has changed.
  func addSound(
    _ sound: RepeatingReader.Sound, plays: Int?, from origin: Int, settings: SoundSettings, to target: MusicTarget,
    named name: String
  ) throws -> (chain: SoundChain, track: MusicTrack, loaded: SoundPlayer.Loaded) {
    try core.checkNotFinished()
    guard settings.pitch == .unchanged || sound.format.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the pitch of \(sound.format.channelCount) channels cannot be changed, only of 1 or 2")
    }
    // Offline, a fast graph empties a short ring before the thread that fills it has woken up.
    let player = try SoundPlayer(
      sound, sampleRate: core.options.sampleRate, pitch: settings.pitch,
      capacity: core.options.isOffline ? 128 : 24
    ) { [weak self] in self?.prefetch?.hurry() }
    let loaded = try player.load(plays: plays, from: origin)
    trackCount += 1
    let chain = try SoundChain(
      player, settings: settings, channelCount: try channelCount(of: target), name: "\(name) #\(trackCount)",
      graph: core.graph)
    let track = MusicTrack(source: player, target: target, nodes: chain.nodes)
    music.append(track)
    return (chain, track, loaded)
  }

  /// Removes the music and the effects that go with a voice, before that voice leaves.
  func remove(with target: MusicTarget) throws {
    interruptMixing(with: target)
    interruptEffects(with: target)
    for track in music where track.target == target {
      for node in track.nodes + [track.idleSink].compactMap({ $0 }) { try core.graph.remove(node) }
    }
    music.removeAll { $0.target == target }
    endedSounds.removeAll { $0.track.target == target }
  }

  /// Ends a sound: its nodes leave the graph with a sweep, once its last sample has come out.
  func end(_ chain: SoundChain, _ track: MusicTrack) {
    stopPrefetching(chain.player)
    chain.player.stop()
    endedSounds.append(FinishedSound(track: track, position: core.nowPosition))
    core.run.requestSweep()
  }

  // MARK: Prefetching

  /// Creates the thread that keeps rings full, before anything changes that needs it.
  ///
  /// - Throws: An error if the system does not provide a thread.
  func needPrefetching() throws(ThreadError) {
    if prefetch == nil { prefetch = try PrefetchThread(onFill: core.bell) }
  }

  /// Keeps a player's ring full from now on.
  func startPrefetching(_ player: SoundPlayer) {
    prefetch?.add(player)
    activity.set(true)
  }

  func stopPrefetching(_ player: SoundPlayer) { prefetch?.remove(player) }

  /// Hands over the prefetching thread; its last owner waits for its end. After the last tick.
  func takePrefetching() -> PrefetchThread? {
    defer { prefetch = nil }
    return prefetch
  }

  // MARK: Targets

  /// Returns the number of channels of a target's mixer.
  ///
  /// - Throws: An error if there is no such target.
  private func channelCount(of target: MusicTarget) throws(EngineError) -> Int {
    switch target {
    case .published(let uid):
      guard let user = users.remote[users.key(uid)], user.hasUplink else {
        throw EngineError(.invalidArgument, "the pipeline has no speaker \(uid) to mix music into; add it first")
      }
      return user.channelCount
    case .publishedByLocalUser:
      guard let user = users.local else {
        throw EngineError(.notReady, "the pipeline has no local voice to mix music into; set a local source")
      }
      return user.sentChannelCount
    case .loopback: return core.listener.format.channelCount
    }
  }

  private func mixer(of target: MusicTarget) -> NodeID? {
    switch target {
    case .published(let uid): users.remote[users.key(uid)]?.uplink?.mixer
    case .publishedByLocalUser: users.local?.uplink?.mixer ?? users.local?.unsent.first
    case .loopback: core.listener.mixedMixer
    }
  }
}
