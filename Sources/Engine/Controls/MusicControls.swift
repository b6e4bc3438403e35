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

  /// Plays a music file: sent along with the local voice, in its place, or only heard here.
  ///
  /// What becomes of it is told as `music` events, its end as `musicFinished`: that it plays with its first sample,
  /// which is heard once its way is in the graph. A file that cannot be opened is a `warning` and the state `failed`,
  /// not an error: the call goes on. Started again within 500 ms it is told `tooFrequent`, and what plays goes on;
  /// later, what plays is stopped.
  ///
  /// - Parameters:
  ///   - loopback: heard here only.
  ///   - replace: the music takes the place of the local voice.
  ///   - repetition: how often it is played.
  ///   - start: where in the file it begins.
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
      // Somebody else may have started some while the file was opened.
      guard !sounds.isMixingTooSoon else { return core.post(.music(.failed, .tooFrequent)) }
      do {
        try sounds.beginMixing(
          reader, to: loopback ? .loopback : sounds.publishingTarget, isPublished: !loopback,
          replacesVoice: replace && !loopback, plays: plays, from: origin)
      } catch let error as AudioFileError {
        // The file is damaged: there is no way to where it is to begin.
        core.post(.warning(PipelineWarning(.cannotOpen, "the music cannot be played: \(error)")))
        return core.post(.music(.failed, .cannotOpen))
      }
      sounds.mixing.lastStart = core.nowPosition
    }
  }

  /// Plays an open file along with what a speaker sends whose uplink runs here; reported as that of `start`.
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

  /// Why the music that was played last ended before its end; nil when it did not.
  package var failure: AudioFileError? { pipeline.lock.withLock { _ in pipeline.sounds.mixing.failure } }

  /// Fades the music out and ends it.
  ///
  /// - Throws: `.notReady` when no music plays.
  public func stop() throws(EngineError) { try with("stop") { $0.stop() } }

  /// Fades the music out, to be resumed where it was.
  ///
  /// - Throws: as `stop`.
  public func pause() throws(EngineError) { try with("pause") { $0.pause() } }

  /// Lets paused music continue.
  ///
  /// - Throws: as `stop`.
  public func resume() throws(EngineError) { try with("resume") { $0.resume() } }

  /// Level of the music, up to 100, whether sent or only heard here.
  ///
  /// - Throws: `.invalidArgument` above 100.
  public func setVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setVolume") { mixing, volume in
      mixing.playoutVolume = volume
      mixing.publishVolume = volume
    }
  }

  /// Level of music that is only heard here, up to 100.
  ///
  /// - Throws: as `setVolume`.
  public func setPlayoutVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setPlayoutVolume") { $0.playoutVolume = $1 }
  }

  /// Level of music that is sent, up to 100.
  ///
  /// - Throws: as `setVolume`.
  public func setPublishVolume(_ volume: Volume) throws(EngineError) {
    try setVolume(volume, "setPublishVolume") { $0.publishVolume = $1 }
  }

  /// How long the music file is.
  ///
  /// - Throws: as `stop`, and where only its end will tell.
  public func duration() throws(EngineError) -> Duration {
    try with("duration") { player in
      guard let count = player.samplesPerChannel else {
        throw EngineError(.notReady, "the duration of the music is known at its end only")
      }
      return .seconds(count) / player.soundRate
    }
  }

  /// How far into its file the music is.
  ///
  /// - Throws: as `stop`.
  public func position() throws(EngineError) -> Duration {
    try with("position") { .seconds($0.position) / $0.soundRate }
  }

  /// Lets the music continue at another place of its file.
  ///
  /// - Throws: `.invalidArgument` for a place that the file does not have; as `stop`.
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
