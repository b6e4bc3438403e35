import AudioFiles
public import AudioGraph
public import Effects
import FrameObservers
public import Playback
import Synchronization

extension AudioPipeline {
  /// Sound effects: any number at once, each under a number.
  public var effects: EffectControls { EffectControls(pipeline: self) }
}

/// Plays sound effects in a pipeline.
///
/// ```swift
/// try pipeline.effects.preload(7, path: "bell.wav")
/// try pipeline.effects.play(7, SoundEffect(path: "bell.wav"))
/// ```
/// Thread: any.
public struct EffectControls: Sendable {
  let pipeline: AudioPipeline

  /// Plays a sound effect under a number; one that plays under it already is stopped.
  ///
  /// `effectFinished` is told once the last loop has been played.
  /// - Parameter position: where in the pipeline's time, in samples, it begins: to the sample, if that is three frames
  ///   or more ahead. nil for at once: before the first tick with that, later one tick after that in which its way is
  ///   brought in, which is the next one, or the one after where something else is being changed. Another pitch changes
  ///   nothing of that.
  /// - Throws: `.invalidArgument` for values out of range, a file that cannot be opened, one that is not what was
  ///   preloaded under this number, or a place on one side where all that is sent is mono: see `setLocalSource`.
  public func play(_ soundID: Int, _ effect: SoundEffect, atPosition position: Int? = nil) throws(EngineError) {
    try play(soundID, effect, to: effect.isPublished ? nil : .loopback, atPosition: position)
  }

  /// Where an effect may begin: within 700 years at any rate.
  private static let effectPositions = 0...(1 << 52)

  /// The same with a custom target; nil: the local voice, or without one the listener alone.
  @discardableResult
  package func play(_ soundID: Int, _ effect: SoundEffect, to target: MusicTarget?, atPosition position: Int?)
    throws(EngineError) -> SoundPlayer
  {
    if let position, !Self.effectPositions.contains(position) {
      throw EngineError(
        .invalidArgument,
        "effect \(soundID) cannot begin at sample \(position); use 0 to \(Self.effectPositions.upperBound)")
    }
    let sound = try open(soundID, effect)
    return try pipeline.edit("effect \(soundID) cannot be played", call: "effects.play") {
      try pipeline.sounds.playEffect(soundID, effect, sound, to: target, atPosition: position)
    }
  }

  /// Decodes an effect into memory, so that it plays without the disk.
  ///
  /// Throws: `.invalidArgument` when the file cannot be read or is longer than 10 minutes.
  public func preload(_ soundID: Int, path: String) throws(EngineError) {
    let memory: SoundMemory
    do {
      memory = try SoundMemory(path: path)
    } catch {
      throw EngineError(.invalidArgument, "effect \(soundID) cannot be preloaded: \(error)", cause: error)
    }
    preload(soundID, memory)
  }

  /// Keeps an effect that has been decoded already.
  package func preload(_ soundID: Int, _ memory: SoundMemory) {
    pipeline.lock.withLock { _ in pipeline.sounds.effects.preloaded[soundID] = memory }
  }

  /// Stops an effect and lets go of what `preload` keeps of it.
  public func unload(_ soundID: Int) throws(EngineError) {
    try pipeline.edit("effect \(soundID) cannot be unloaded", call: "effects.unload") {
      try pipeline.sounds.unloadEffect(soundID)
    }
  }

  /// Fades an effect out, to be resumed where it was.
  public func pause(_ soundID: Int) throws(EngineError) { try with(soundID, "pause") { $0.chain.player.pause() } }
  /// Lets a paused effect go on.
  public func resume(_ soundID: Int) throws(EngineError) { try with(soundID, "resume") { $0.chain.player.resume() } }
  /// Fades an effect out and ends it; `effectFinished` is not told.
  public func stop(_ soundID: Int) throws(EngineError) { try with(soundID, "stop") { $0.chain.player.stop() } }

  /// Fades all effects out.
  public func pauseAll() { withAll { $0.pause() } }
  /// Lets all paused effects go on.
  public func resumeAll() { withAll { $0.resume() } }
  /// Ends all effects.
  public func stopAll() { withAll { $0.stop() } }

  /// Level of all effects; unchanged at first.
  public var volume: Volume { pipeline.lock.withLock { _ in pipeline.sounds.effects.volume } }

  /// Sets the level of all effects, up to 100.
  ///
  /// - Throws: `.invalidArgument` above 100.
  public func setVolume(_ volume: Volume) throws(EngineError) {
    try pipeline.set("the volume of effects cannot be set", call: "effects.setVolume") {
      pipeline.sounds.setEffectsVolume(try Volume(volume.percent, in: Volume.attenuationRange))
    }
  }

  /// Level of one effect.
  ///
  /// - Throws: `.invalidArgument` where no such effect plays.
  public func volume(of soundID: Int) throws(EngineError) -> Volume {
    try pipeline.set("the volume of effect \(soundID) is not known", call: "effects.volume") {
      try pipeline.sounds.effect(soundID).gain
    }
  }

  /// Sets the level of one effect, up to 100.
  ///
  /// - Throws: `.invalidArgument` above 100, or where no such effect plays.
  public func setVolume(_ volume: Volume, of soundID: Int) throws(EngineError) {
    try pipeline.set("the volume of effect \(soundID) cannot be set", call: "effects.setVolume") {
      try pipeline.sounds.setVolume(Volume(volume.percent, in: Volume.attenuationRange), ofEffect: soundID)
    }
  }

  private func open(_ soundID: Int, _ effect: SoundEffect) throws(EngineError) -> RepeatingReader.Sound {
    if let memory = pipeline.lock.withLock({ _ in pipeline.sounds.effects.preloaded[soundID] }) {
      guard memory.path == effect.path || (realPath(memory.path) ?? memory.path) == realPath(effect.path) else {
        throw EngineError(
          .invalidArgument,
          "effect \(soundID) was preloaded from \(memory.path), not from \(effect.path); unload it or use another number"
        )
      }
      return .memory(memory)
    }
    return .file(try pipeline.openSound(effect.path, "effect \(soundID) cannot be played"))
  }

  private func with(_ soundID: Int, _ call: String, _ body: (EffectTable.Entry) -> Void) throws(EngineError) {
    try pipeline.set("effect \(soundID)", call: "effects.\(call)") {
      pipeline.sounds.collect()
      body(try pipeline.sounds.effect(soundID))
    }
  }

  private func withAll(_ body: (SoundPlayer) -> Void) {
    pipeline.lock.withLock { _ in
      pipeline.core.run.edits.wrappingAdd(1, ordering: .relaxed)
      for entry in pipeline.sounds.effects.entries.values { body(entry.chain.player) }
    }
  }
}
