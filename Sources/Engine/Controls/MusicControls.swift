package import AudioFiles
public import AudioGraph
public import Effects
import FrameObservers
public import Playback

extension AudioPipeline {
  /// Music, as accompaniment or in place of the voice: one file at a time.
  public var music: MusicControls { MusicControls(pipeline: self) }
}

/// Plays music in a pipeline.
///
/// ```swift
/// try pipeline.music.setVolume(Volume(40))
/// try pipeline.music.start("song.mp3", repetition: .forever)
/// ```
/// Thread: any.
public struct MusicControls: Sendable {
  let pipeline: AudioPipeline

  /// Plays a music file: sent along with the local voice, sent in its place, or only heard here.
  ///
  /// `music` events report its states, and `musicFinished` reports its end. The event of its start comes with its first
  /// sample, which is heard once its path is in the graph. A file that cannot be opened is a `warning` event and the
  /// state `failed`, not an error: the call continues. Another start within 500 ms is reported as `tooFrequent`, and
  /// the current music continues. A later start stops the current music.
  ///
  /// - Parameters:
  ///   - path: The music file.
  ///   - loopback: Whether the music is heard here only.
  ///   - replace: Whether the music takes the place of the local voice.
  ///   - repetition: How often the music is played.
  ///   - start: Position in the file at which the music begins.
  /// - Throws: `.invalidArgument` for values out of range.
  public func start(
    _ path: String, loopback: Bool = false, replace: Bool = false, repetition: Repetition = .once,
    from start: Duration = .zero
  ) throws(EngineError) {
    let plays = try repetition.checkedPlays(of: "music")
    guard start >= .zero else {
      throw EngineError(.invalidArgument, "music cannot begin at \(start); use 0 or more")
    }
    let (core, sounds) = (pipeline.core, pipeline.sounds)
    guard !pipeline.lock.withLock({ _ in sounds.isMixingTooSoon }) else {
      return core.post(.music(.failed, .tooFrequent))
    }
    let reader: AudioFileReader
    do {
      reader = try pipeline.openSound(path, "the music cannot be played")
    } catch {
      core.post(.warning(PipelineWarning(.cannotOpen, error.message)))
      return core.post(.music(.failed, .cannotOpen))
    }
    let origin = try SoundPlace.position(
      of: start, sampleRate: reader.format.sampleRate, count: reader.samplesPerChannel,
      in: "the music")
    try pipeline.edit("the music cannot be played", call: "music.start") {
      // Another call may have started music while the file was opened.
      guard !sounds.isMixingTooSoon else { return core.post(.music(.failed, .tooFrequent)) }
      do {
        try sounds.beginMixing(
          reader, to: loopback ? .loopback : sounds.publishingTarget(), isPublished: !loopback,
          replacesVoice: replace && !loopback, plays: plays, from: origin)
      } catch let error as AudioFileError {
        // The file is damaged: its start position cannot be reached.
        core.post(.warning(PipelineWarning(.cannotOpen, "the music cannot be played: \(error)")))
        return core.post(.music(.failed, .cannotOpen))
      }
      sounds.mixing.lastStart = core.nowPosition
    }
  }

  /// Plays an open file along with the voice of a speaker with an uplink here; it is reported like the music of
  /// `start`.
  package func start(_ reader: AudioFileReader, volume: Volume, plays: Int?, with uid: UInt32)
    throws(EngineError) -> SoundPlayer
  {
    let sounds = pipeline.sounds
    return try pipeline.edit("the music cannot be played", call: "music.start") {
      guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: reader.path) }
      sounds.mixing.publishVolume = volume
      return try sounds.beginMixing(
        reader, to: .published(speaker: uid), isPublished: true, replacesVoice: false, plays: plays, from: 0)
    }
  }

  /// Reason why the newest music ended before the end of its file; nil if it did not.
  package var failure: AudioFileError? { pipeline.lock.withLock { _ in pipeline.sounds.mixing.failure } }

  /// Fades the music out and ends it.
  ///
  /// - Throws: `.notReady` if no music plays.
  public func stop() throws(EngineError) { try with("stop") { $0.stop() } }

  /// Fades the music out; `resume` continues it at the same position.
  ///
  /// - Throws: `.notReady` if no music plays.
  public func pause() throws(EngineError) { try with("pause") { $0.pause() } }

  /// Continues paused music.
  ///
  /// - Throws: `.notReady` if no music plays.
  public func resume() throws(EngineError) { try with("resume") { $0.resume() } }

  /// Sets the level of the music, up to 100, whether it is sent or only heard here.
  ///
  /// - Throws: `.invalidArgument` above 100.
  public func setVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setVolume") { mixing, volume in
      mixing.playoutVolume = volume
      mixing.publishVolume = volume
    }
  }

  /// Sets the level of music that is only heard here, up to 100.
  ///
  /// - Throws: `.invalidArgument` above 100.
  public func setPlayoutVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setPlayoutVolume") { $0.playoutVolume = $1 }
  }

  /// Sets the level of music that is sent, up to 100.
  ///
  /// - Throws: `.invalidArgument` above 100.
  public func setPublishVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setPublishVolume") { $0.publishVolume = $1 }
  }

  /// Returns the duration of the music file.
  ///
  /// - Throws: `.notReady` if no music plays, or if the duration is known only at the end of the file.
  public func duration() throws(EngineError) -> Duration {
    try with("duration") { player in
      guard let count = player.samplesPerChannel else {
        throw EngineError(.notReady, "the duration of the music is known at its end only")
      }
      return .seconds(count) / player.soundRate
    }
  }

  /// Returns the position of the music in its file.
  ///
  /// - Throws: `.notReady` if no music plays.
  public func position() throws(EngineError) -> Duration {
    try with("position") { .seconds($0.position) / $0.soundRate }
  }

  /// Continues the music at another position of its file.
  ///
  /// - Throws: `.invalidArgument` for a position that the file does not have; `.notReady` if no music plays.
  public func seek(to position: Duration) throws(EngineError) {
    try with("seek") { player in
      try player.seek(
        to: try SoundPlace.position(
          of: position, sampleRate: player.soundRate, count: player.samplesPerChannel, in: "the music"))
    }
  }

  private func setVolume(
    _ volume: Volume, _ call: String, _ change: (inout MusicMixing, Volume) -> Void
  ) throws(EngineError) {
    try pipeline.set("the volume of the music cannot be set", call: "music.\(call)") {
      let volume = try Volume(volume.percent, in: Volume.attenuationRange)
      pipeline.sounds.setMixingVolume { change(&$0, volume) }
    }
  }

  private func with<Result>(_ call: String, _ body: (SoundPlayer) throws -> Result) throws(EngineError) -> Result {
    try pipeline.set("the music", call: "music.\(call)") {
      // Music that has ended is gone, also before its event is delivered.
      pipeline.sounds.collect()
      return try body(try pipeline.sounds.currentMixing().chain.player)
    }
  }
}
