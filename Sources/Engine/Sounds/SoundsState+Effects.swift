import AudioGraph
import Effects
import Playback

/// Sound effects.
extension SoundsState {
  /// Plays an effect from an open file.
  ///
  /// - Parameters:
  ///   - soundID: Number of the effect.
  ///   - effect: Settings of the effect.
  ///   - sound: The open file, or the preloaded sound.
  ///   - target: Destination of the effect; nil: `publishingTarget`.
  ///   - position: Position in the pipeline's time at which it begins, in samples; nil for at once.
  func playEffect(
    _ soundID: Int, _ effect: SoundEffect, _ sound: RepeatingReader.Sound, to target: MusicTarget?,
    atPosition position: Int?
  ) throws -> SoundPlayer {
    try effect.check()
    try needPrefetching()
    let origin = try SoundPlace.position(
      of: effect.start, sampleRate: sound.format.sampleRate, count: sound.samplesPerChannel,
      in: effect.path)
    let added = try addSound(
      sound, plays: effect.plays, from: origin,
      settings: SoundSettings(volume: effects.level(effect.gain), panning: effect.panning, pitch: effect.pitch),
      to: target ?? publishingTarget(), named: "effect \(soundID)")
    endEffect(soundID)
    effects.entries[soundID] = .init(chain: added.chain, track: added.track, gain: effect.gain)
    let player = added.chain.player
    player.start(added.loaded, at: position ?? 0)
    startPrefetching(player)
    return player
  }

  /// Returns the effect, which must play or be paused.
  func effect(_ soundID: Int) throws(EngineError) -> EffectTable.Entry {
    guard let entry = effects.entries[soundID] else { throw noSuchEffect(soundID) }
    return entry
  }

  func unloadEffect(_ soundID: Int) throws(EngineError) {
    guard effects.preloaded[soundID] != nil || effects.entries[soundID] != nil else { throw noSuchEffect(soundID) }
    effects.preloaded[soundID] = nil
    effects.entries[soundID]?.chain.player.stop()
  }

  /// Sets the level of all effects.
  func setEffectsVolume(_ volume: Volume) {
    effects.volume = volume
    for entry in effects.entries.values { entry.chain.set(effects.level(entry.gain)) }
  }

  /// Sets the level of one effect.
  func setVolume(_ volume: Volume, ofEffect soundID: Int) throws(EngineError) {
    let entry = try effect(soundID)
    effects.entries[soundID]!.gain = volume
    entry.chain.set(effects.level(volume))
  }

  func report(_ event: PlayerEvent, ofEffect soundID: Int) {
    switch event.kind {
    case .finished:
      if let failure = effects.entries[soundID]?.chain.player.failure {
        core.post(.warning(PipelineWarning(.interrupted, "effect \(soundID): \(failure)")), at: event.position)
        core.post(.effectInterrupted(soundID), at: event.position)
      } else {
        core.post(.effectFinished(soundID), at: event.position)
      }
      endEffect(soundID)
    case .stopped: endEffect(soundID)
    case .started, .passEnded, .paused, .resumed: break
    }
  }

  /// Ends the effects of a target that leaves.
  func interruptEffects(with target: MusicTarget) {
    for (soundID, entry) in effects.entries.sorted(by: { $0.key < $1.key }) where entry.track.target == target {
      effects.entries[soundID] = nil
      stopPrefetching(entry.chain.player)
      core.post(.effectInterrupted(soundID))
    }
  }

  /// Forgets an effect; its nodes leave the graph with the next sweep.
  private func endEffect(_ soundID: Int) {
    guard let entry = effects.entries.removeValue(forKey: soundID) else { return }
    end(entry.chain, entry.track)
  }

  private func noSuchEffect(_ soundID: Int) -> EngineError {
    effects.preloaded[soundID] == nil
      ? EngineError(.invalidArgument, "the pipeline has no effect \(soundID); play or preload it first")
      : EngineError(.invalidArgument, "effect \(soundID) is preloaded and does not play; play it first")
  }
}
