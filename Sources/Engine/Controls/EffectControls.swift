import AudioFiles
public import AudioGraph
public import Effects
import FrameObservers
public import Playback
import Synchronization

extension AudioPipeline {
  /// Sound effects. Any number of them can play at once, each under its own number.
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

  /// Plays a sound effect under a number; an effect that already plays under it is stopped.
  ///
  /// `effectFinished` is reported once the last loop has been played.
  ///
  /// - Parameters:
  ///   - soundID: Number of the effect.
  ///   - effect: File and settings of the effect.
  ///   - position: Position at which the effect begins, in samples of the pipeline's time. It is exact to the sample if
  ///     it is three frames or more ahead. nil: at once. Before the first tick, that is the first tick. Later, it is
  ///     one tick after the tick that adds the effect's path. That tick is the next one, or the one after it if another
  ///     change is in progress. Another pitch does not change this.
  /// - Throws: `.invalidArgument` for values out of range, a file that cannot be opened, or a file other than the one
  ///   preloaded under this number. Also for a panning to one side if everything that is sent is mono: see
  ///   `setLocalSource`.
  public func play(_ soundID: Int, _ effect: SoundEffect, atPosition position: Int? = nil) throws(EngineError) {
    try play(soundID, effect, to: effect.isPublished ? nil : .loopback, atPosition: position)
  }

  /// Valid start positions of an effect: within 700 years at any sample rate.
  private static let effectPositions = 0...(1 << 52)

  /// Plays a sound effect to a target; nil: the local user, with or without a voice.
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
  /// - Throws: `.invalidArgument` if the file cannot be read or is longer than 10 minutes.
  public func preload(_ soundID: Int, path: String) throws(EngineError) {
    let memory: SoundMemory
    do {
      memory = try SoundMemory(path: path)
    } catch {
      throw EngineError(.invalidArgument, "effect \(soundID) cannot be preloaded: \(error)", cause: error)
    }
    preload(soundID, memory)
  }

  /// Keeps an effect that is already decoded.
  package func preload(_ soundID: Int, _ memory: SoundMemory) {
    pipeline.lock.withLock { _ in pipeline.sounds.effects.preloaded[soundID] = memory }
  }

  /// Stops an effect and releases the memory that `preload` keeps for it.
  public func unload(_ soundID: Int) throws(EngineError) {
    try pipeline.edit("effect \(soundID) cannot be unloaded", call: "effects.unload") {
      try pipeline.sounds.unloadEffect(soundID)
    }
  }

  /// Fades an effect out; `resume` continues it at the same position.
  public func pause(_ soundID: Int) throws(EngineError) { try with(soundID, "pause") { $0.chain.player.pause() } }
  /// Continues a paused effect.
  public func resume(_ soundID: Int) throws(EngineError) { try with(soundID, "resume") { $0.chain.player.resume() } }
  /// Fades an effect out and ends it; `effectFinished` is not reported.
  public func stop(_ soundID: Int) throws(EngineError) { try with(soundID, "stop") { $0.chain.player.stop() } }

  /// Fades all effects out; `resumeAll` continues them.
  public func pauseAll() { withAll { $0.pause() } }
  /// Continues all paused effects.
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

  /// Returns the level of one effect.
  ///
  /// - Throws: `.invalidArgument` if no such effect plays.
  public func volume(of soundID: Int) throws(EngineError) -> Volume {
    try pipeline.set("the volume of effect \(soundID) is not known", call: "effects.volume") {
      try pipeline.sounds.effect(soundID).gain
    }
  }

  /// Sets the level of one effect, up to 100.
  ///
  /// - Throws: `.invalidArgument` above 100, or if no such effect plays.
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
