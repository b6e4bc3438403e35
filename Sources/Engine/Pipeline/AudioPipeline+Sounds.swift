import AudioFiles
import AudioGraph
import Effects
import FrameObservers
import Playback
import Synchronization

/// What effects and music have in common.
extension AudioPipeline {
  /// Where a sound goes that is sent along: with the local voice, or where there is none only to who listens here.
  var publishingTarget: MusicTarget { localUser == nil ? .loopback : .publishedByLocalUser }

  /// Position of the next tick, in samples of the pipeline.
  var nowPosition: Int { schedule.position(ofFrame: runner.tickCount) }

  /// Opens a file that will be played. Throws: `.invalidArgument`.
  func openSound(_ path: String, _ what: String) throws(EngineError) -> AudioFileReader {
    do {
      let reader = try AudioFileReader.open(path: path)
      guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: path) }
      return reader
    } catch {
      throw EngineError(.invalidArgument, "\(what): \(error)", cause: error)
    }
  }

  /// Adds a player and what follows it. Within an edit.
  ///
  /// - Parameters:
  ///   - plays: how often it will play; nil for ever.
  ///   - origin: the first sample that will be heard, at the sound's own rate.
  /// - Throws: before anything has changed.
  func addSound(
    _ sound: RepeatingReader.Sound, plays: Int?, from origin: Int, settings: SoundSettings, to target: MusicTarget,
    named name: String
  ) throws -> (chain: SoundChain, track: MusicTrack, loaded: SoundPlayer.Loaded) {
    guard !hasFinished.load(ordering: .acquiring) else {
      throw EngineError(.wrongState, "the pipeline has finished; sounds play before that")
    }
    guard settings.pitch == .unchanged || sound.format.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the pitch of \(sound.format.channelCount) channels cannot be changed, only of 1 or 2")
    }
    // As fast as it can the graph is through a short ring before the thread that fills it has woken up.
    let player = try SoundPlayer(
      sound, sampleRate: options.sampleRate, pitch: settings.pitch, capacity: options.isLossless ? 128 : 24
    ) { [weak self] in self?.prefetch?.hurry() }
    let loaded = try player.load(plays: plays, from: origin)
    musicCount += 1
    let chain = try SoundChain(
      player, settings: settings, channelCount: try channelCount(of: target), name: "\(name) #\(musicCount)",
      graph: graph)
    let track = MusicTrack(source: player, target: target, nodes: chain.nodes)
    music.append(track)
    try connectMusic()
    return (chain, track, loaded)
  }

  /// Makes the thread that keeps rings full, before anything changes that needs it.
  ///
  /// Throws: where the system gives none.
  func needPrefetching() throws(ThreadError) {
    if prefetch == nil { prefetch = try PrefetchThread(onFill: bell) }
  }

  /// Keeps a player's ring full from now on.
  func startPrefetching(_ player: SoundPlayer) {
    prefetch?.add(player)
    hasSounds.store(true, ordering: .releasing)
  }

  /// Ends the prefetching thread: what plays will end with what its ring holds. After the last tick.
  package func stopPrefetching() {
    let thread = lock.withLock { _ in
      defer { prefetch = nil }
      return prefetch
    }
    // Not under the lock: it waits for the thread.
    withExtendedLifetime(thread) {}
  }

  /// Tells what sounds have come to. Under the lock.
  func collectSounds() {
    // Nothing of this changes the graph: what has ended is swept out.
    var news: [(event: PlayerEvent, soundID: Int?)] = []
    for (soundID, entry) in effects.entries {
      let player = entry.chain.player
      while let event = player.takeEvent() {
        // Nobody is told how often an effect repeats itself, and very many may do so all the time.
        if event.kind != .passEnded || player.owesWarning { news.append((event, soundID)) }
      }
    }
    while let event = mixing.current?.chain.player.takeEvent() { news.append((event, nil)) }
    guard !news.isEmpty else { return }
    // Of several at one sample the first is that of the lowest number, music last; those of one player stay as they
    // came.
    let order = news.indices.sorted { one, other in
      let (first, second) = (news[one], news[other])
      return (first.event.position, first.soundID ?? .max, one) < (second.event.position, second.soundID ?? .max, other)
    }
    for index in order {
      if let warning = takeWarning(after: news[index].event, of: news[index].soundID) {
        post(.warning(PipelineWarning(.notFinite, warning)), at: news[index].event.position)
      }
      if let soundID = news[index].soundID {
        tell(news[index].event, ofEffect: soundID)
      } else {
        tellMixing(news[index].event)
      }
    }
  }

  private func takeWarning(after event: PlayerEvent, of soundID: Int?) -> String? {
    switch event.kind {
    case .passEnded, .finished:
      let player = soundID.map { effects.entries[$0]?.chain.player } ?? mixing.current?.chain.player
      guard let warning = player?.takeWarning() else { return nil }
      return (soundID.map { "effect \($0)" } ?? "music") + ": " + warning
    case .started, .paused, .resumed, .stopped: return nil
    }
  }

  /// Lets a sound go that has ended or is to end: its nodes leave the graph with a sweep, once its last sample has come
  /// out.
  func end(_ chain: SoundChain, _ track: MusicTrack) {
    prefetch?.remove(chain.player)
    chain.player.stop()
    endedSounds.append(EndedSound(track: track, position: nowPosition))
    needsSweep.store(true, ordering: .releasing)
  }

  /// Takes sounds that have ended out of the graph, but for those that delays on their way still hold something of.
  /// Returns: true when the graph has changed.
  func sweepSounds() throws -> Bool {
    let heard = nowPosition - (runner.plan?.latency(of: listener.mixed) ?? 0)
    let ended = endedSounds.filter { $0.position < heard }.map(\.track)
    endedSounds.removeAll { $0.position < heard }
    if !endedSounds.isEmpty { needsSweep.store(true, ordering: .releasing) }
    for track in ended {
      // Live the player belongs to the audio thread, and nobody asks for an end.
      if options.isLossless { soundsEnd = max(soundsEnd, track.source.endPosition ?? 0) }
      for node in track.nodes { try graph.remove(node) }
      if let idle = music.first(where: { $0.source === track.source })?.idleSink { try graph.remove(idle) }
      music.removeAll { $0.source === track.source }
    }
    return !ended.isEmpty
  }

  /// Tells the program of something that happened at a sample of the pipeline's time; nil: before the next tick.
  func post(_ kind: PipelineEvent.Kind, at position: Int? = nil) {
    let count = position.map { min(runner.tickCount, schedule.frameCount(holding: $0)) } ?? runner.tickCount
    events.post(PipelineEvent(kind, tickCount: count, samplePosition: position, sampleRate: options.sampleRate))
  }
}
