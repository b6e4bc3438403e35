import AudioFiles
public import AudioGraph
import Effects
import FrameObservers
public import Playback
import Synchronization

extension AudioPipeline {
  /// Plays a sound effect under a number; any number of them at once. One that plays under it already is stopped.
  ///
  /// `effectFinished` is told once the last loop has been played.
  /// - Parameter position: where in the pipeline's time, in samples, it begins: to the sample, if that is three frames
  ///   or more ahead. nil for at once: before the first tick with that, later one tick after that in which its way is
  ///   brought in, which is the next one, or the one after where something else is being changed. Another pitch changes
  ///   nothing of that.
  /// - Throws: `.invalidArgument` for values out of range, a file that cannot be opened, one that is not what was
  ///   preloaded under this number, or a place on one side where all that is sent is mono: see `setLocalSource`.
  public func playEffect(_ soundID: Int, _ effect: SoundEffect, atPosition position: Int? = nil) throws(EngineError) {
    try playEffect(soundID, effect, to: effect.isPublished ? nil : .loopback, atPosition: position)
  }

  /// Where an effect may begin: within 700 years at any rate.
  private static let effectPositions = 0...(1 << 52)

  /// The same with a target of its own; nil: where a published sound goes.
  @discardableResult
  package func playEffect(_ soundID: Int, _ effect: SoundEffect, to target: MusicTarget?, atPosition position: Int?)
    throws(EngineError) -> SoundPlayer
  {
    if let position, !Self.effectPositions.contains(position) {
      throw EngineError(
        .invalidArgument,
        "effect \(soundID) cannot begin at sample \(position); use 0 to \(Self.effectPositions.upperBound)")
    }
    let sound = try openEffect(soundID, effect)
    return try edit("effect \(soundID) cannot be played") {
      try effect.check()
      try needPrefetching()
      let origin = try SoundPlace.position(
        milliseconds: effect.startMilliseconds, sampleRate: sound.format.sampleRate, count: sound.samplesPerChannel,
        of: effect.path)
      let added = try addSound(
        sound, plays: effect.plays, from: origin,
        settings: SoundSettings(volume: effects.level(effect.gain), panning: effect.panning, pitch: effect.pitch),
        to: target ?? publishingTarget, named: "effect \(soundID)")
      endEffect(soundID)
      effects.entries[soundID] = .init(chain: added.chain, track: added.track, gain: effect.gain)
      let player = added.chain.player
      player.start(added.loaded, at: position ?? 0)
      startPrefetching(player)
      return player
    }
  }

  /// Decodes an effect into memory, so that it plays without the disk.
  ///
  /// Throws: `.invalidArgument` when the file cannot be read or is longer than 10 minutes.
  public func preloadEffect(_ soundID: Int, path: String) throws(EngineError) {
    let memory: SoundMemory
    do {
      memory = try SoundMemory(path: path)
    } catch {
      throw EngineError(.invalidArgument, "effect \(soundID) cannot be preloaded: \(error)", cause: error)
    }
    preloadEffect(soundID, memory)
  }

  /// Keeps an effect that has been decoded already.
  package func preloadEffect(_ soundID: Int, _ memory: SoundMemory) {
    lock.withLock { _ in effects.preloaded[soundID] = memory }
  }

  /// Stops an effect and lets go of what `preloadEffect` keeps of it.
  public func unloadEffect(_ soundID: Int) throws(EngineError) {
    try edit("effect \(soundID) cannot be unloaded") {
      guard effects.preloaded[soundID] != nil || effects.entries[soundID] != nil else { throw noSuchEffect(soundID) }
      effects.preloaded[soundID] = nil
      effects.entries[soundID]?.chain.player.stop()
    }
  }

  /// Fades an effect out, to be resumed where it was.
  public func pauseEffect(_ soundID: Int) throws(EngineError) { try withEffect(soundID) { $0.chain.player.pause() } }
  /// Lets a paused effect go on.
  public func resumeEffect(_ soundID: Int) throws(EngineError) { try withEffect(soundID) { $0.chain.player.resume() } }
  /// Fades an effect out and ends it; `effectFinished` is not told.
  public func stopEffect(_ soundID: Int) throws(EngineError) { try withEffect(soundID) { $0.chain.player.stop() } }

  /// Fades all effects out.
  public func pauseAllEffects() { withAllEffects { $0.pause() } }
  /// Lets all paused effects go on.
  public func resumeAllEffects() { withAllEffects { $0.resume() } }
  /// Ends all effects.
  public func stopAllEffects() { withAllEffects { $0.stop() } }

  /// Level of all effects, 0 to 100.
  public var effectsVolume: Int { lock.withLock { _ in Int(effects.volume.percent) } }

  /// Sets the level of all effects, 0 to 100.
  public func setEffectsVolume(_ volume: Int) throws(EngineError) {
    try set("the volume of effects cannot be set") {
      effects.volume = try Volume(Double(volume), in: Volume.attenuationRange)
      for entry in effects.entries.values { entry.chain.set(effects.level(entry.gain)) }
    }
  }

  /// Level of one effect, 0 to 100.
  public func volumeOfEffect(_ soundID: Int) throws(EngineError) -> Int {
    try set("the volume of effect \(soundID) is not known") {
      guard let entry = effects.entries[soundID] else { throw noSuchEffect(soundID) }
      return Int(entry.gain.percent)
    }
  }

  /// Sets the level of one effect, 0 to 100.
  public func setVolumeOfEffect(_ soundID: Int, _ volume: Int) throws(EngineError) {
    let volume = try set("the volume of effect \(soundID) cannot be set") {
      try Volume(Double(volume), in: Volume.attenuationRange)
    }
    try set("the volume of effect \(soundID) cannot be set") {
      guard let entry = effects.entries[soundID] else { throw noSuchEffect(soundID) }
      effects.entries[soundID]!.gain = volume
      entry.chain.set(effects.level(volume))
    }
  }

  /// Tells what an effect has come to. Under the lock.
  func tell(_ event: PlayerEvent, ofEffect soundID: Int) {
    switch event.kind {
    case .finished:
      if let failure = effects.entries[soundID]?.chain.player.failure {
        post(.warning(PipelineWarning(.interrupted, "effect \(soundID): \(failure)")), at: event.position)
        post(.effectInterrupted(soundID), at: event.position)
      } else {
        post(.effectFinished(soundID), at: event.position)
      }
      endEffect(soundID)
    case .stopped: endEffect(soundID)
    case .started, .passEnded, .paused, .resumed: break
    }
  }

  private func openEffect(_ soundID: Int, _ effect: SoundEffect) throws(EngineError) -> RepeatingReader.Sound {
    if let memory = lock.withLock({ _ in effects.preloaded[soundID] }) {
      guard memory.path == effect.path || (realPath(memory.path) ?? memory.path) == realPath(effect.path) else {
        throw EngineError(
          .invalidArgument,
          "effect \(soundID) was preloaded from \(memory.path), not from \(effect.path); unload it or use another number"
        )
      }
      return .memory(memory)
    }
    return .file(try openSound(effect.path, "effect \(soundID) cannot be played"))
  }

  /// Forgets an effect; its nodes leave the graph with the next sweep.
  private func endEffect(_ soundID: Int) {
    guard let entry = effects.entries.removeValue(forKey: soundID) else { return }
    end(entry.chain, entry.track)
  }

  private func withEffect(_ soundID: Int, call: String = #function, _ body: (EffectTable.Entry) -> Void)
    throws(EngineError)
  {
    try set("effect \(soundID)", call: call) {
      collectSounds()
      guard let entry = effects.entries[soundID] else { throw noSuchEffect(soundID) }
      body(entry)
    }
  }

  private func withAllEffects(_ body: (SoundPlayer) -> Void) {
    lock.withLock { _ in
      edits.wrappingAdd(1, ordering: .relaxed)
      for entry in effects.entries.values { body(entry.chain.player) }
    }
  }

  private func noSuchEffect(_ soundID: Int) -> EngineError {
    effects.preloaded[soundID] == nil
      ? EngineError(.invalidArgument, "there is no effect \(soundID) here; play or preload it first")
      : EngineError(.invalidArgument, "effect \(soundID) is preloaded and does not play; play it first")
  }
}
