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

  /// The same with a custom target; nil: the local voice, or without one the listener alone.
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
      try sounds.playEffect(soundID, effect, sound, to: target, atPosition: position)
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
    lock.withLock { _ in sounds.effects.preloaded[soundID] = memory }
  }

  /// Stops an effect and lets go of what `preloadEffect` keeps of it.
  public func unloadEffect(_ soundID: Int) throws(EngineError) {
    try edit("effect \(soundID) cannot be unloaded") { try sounds.unloadEffect(soundID) }
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
  public var effectsVolume: Int { lock.withLock { _ in Int(sounds.effects.volume.percent) } }

  /// Sets the level of all effects, 0 to 100.
  public func setEffectsVolume(_ volume: Int) throws(EngineError) {
    try set("the volume of effects cannot be set") {
      sounds.setEffectsVolume(try Volume(Double(volume), in: Volume.attenuationRange))
    }
  }

  /// Level of one effect, 0 to 100.
  public func volumeOfEffect(_ soundID: Int) throws(EngineError) -> Int {
    try set("the volume of effect \(soundID) is not known") { Int(try sounds.effect(soundID).gain.percent) }
  }

  /// Sets the level of one effect, 0 to 100.
  public func setVolumeOfEffect(_ soundID: Int, _ volume: Int) throws(EngineError) {
    let volume = try set("the volume of effect \(soundID) cannot be set") {
      try Volume(Double(volume), in: Volume.attenuationRange)
    }
    try set("the volume of effect \(soundID) cannot be set") { try sounds.setVolume(volume, ofEffect: soundID) }
  }

  private func openEffect(_ soundID: Int, _ effect: SoundEffect) throws(EngineError) -> RepeatingReader.Sound {
    if let memory = lock.withLock({ _ in sounds.effects.preloaded[soundID] }) {
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

  /// Ends the prefetching thread: sounds that play end with what their rings hold. After the last tick.
  package func stopPrefetching() {
    let thread = lock.withLock { _ in sounds.takePrefetching() }
    // Not under the lock: it waits for the thread.
    withExtendedLifetime(thread) {}
  }

  private func withEffect(_ soundID: Int, call: String = #function, _ body: (EffectTable.Entry) -> Void)
    throws(EngineError)
  {
    try set("effect \(soundID)", call: call) {
      sounds.collect()
      body(try sounds.effect(soundID))
    }
  }

  private func withAllEffects(_ body: (SoundPlayer) -> Void) {
    lock.withLock { _ in
      core.run.edits.wrappingAdd(1, ordering: .relaxed)
      for entry in sounds.effects.entries.values { body(entry.chain.player) }
    }
  }

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
}
