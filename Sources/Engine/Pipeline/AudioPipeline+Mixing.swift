package import AudioFiles
public import AudioGraph
package import Effects
import FrameObservers
package import Playback

extension AudioPipeline {
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
  ///   - cycle: how often it is played; -1 for ever.
  ///   - startMilliseconds: where in the file it begins.
  /// - Throws: `.invalidArgument` for values out of range.
  public func startAudioMixing(
    _ path: String, loopback: Bool = false, replace: Bool = false, cycle: Int = 1, startMilliseconds: Int = 0
  ) throws(EngineError) {
    guard cycle == -1 || cycle > 0 else {
      throw EngineError(.invalidArgument, "music cannot be played \(cycle) times; use -1 (for ever), 1 or more")
    }
    guard startMilliseconds >= 0 else {
      throw EngineError(.invalidArgument, "music cannot begin at \(startMilliseconds) ms; use 0 or more")
    }
    guard !lock.withLock({ _ in sounds.isMixingTooSoon }) else { return core.post(.music(.failed, .tooFrequent)) }
    let reader: AudioFileReader
    do {
      reader = try openSound(path, "the music cannot be played")
    } catch {
      core.post(.warning(PipelineWarning(.cannotOpen, error.message)))
      return core.post(.music(.failed, .cannotOpen))
    }
    let origin = try SoundPlace.position(
      milliseconds: startMilliseconds, sampleRate: reader.format.sampleRate, count: reader.samplesPerChannel,
      of: "the music")
    try edit("the music cannot be played") {
      // Somebody else may have started some while the file was opened.
      guard !sounds.isMixingTooSoon else { return core.post(.music(.failed, .tooFrequent)) }
      do {
        try sounds.beginMixing(
          reader, to: loopback ? .loopback : sounds.publishingTarget, isPublished: !loopback,
          replacesVoice: replace && !loopback, cycle: cycle, from: origin)
      } catch let error as AudioFileError {
        // The file is damaged: there is no way to where it is to begin.
        core.post(.warning(PipelineWarning(.cannotOpen, "the music cannot be played: \(error)")))
        return core.post(.music(.failed, .cannotOpen))
      }
      sounds.mixing.lastStart = core.nowPosition
    }
  }

  /// Plays an open file along with what a speaker sends whose uplink runs here; told as that of `startAudioMixing` is.
  package func startMusic(_ reader: AudioFileReader, volume: Volume, cycle: Int, with uid: UInt32)
    throws(EngineError) -> SoundPlayer
  {
    try edit("the music cannot be played") {
      guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: reader.path) }
      sounds.mixing.publishVolume = volume
      return try sounds.beginMixing(
        reader, to: .published(speaker: uid), isPublished: true, replacesVoice: false, cycle: cycle, from: 0)
    }
  }

  /// Why the music that was played last ended before its end; nil when it did not.
  package var mixingFailure: AudioFileError? { lock.withLock { _ in sounds.mixing.failure } }

  /// Fades the music out and ends it.
  ///
  /// Throws: `.notReady` when no music plays.
  public func stopAudioMixing() throws(EngineError) { try withMusic { $0.stop() } }

  /// Fades the music out, to be resumed where it was. Throws: as `stopAudioMixing`.
  public func pauseAudioMixing() throws(EngineError) { try withMusic { $0.pause() } }

  /// Lets paused music go on. Throws: as `stopAudioMixing`.
  public func resumeAudioMixing() throws(EngineError) { try withMusic { $0.resume() } }

  /// Level of the music, 0 to 100, whether sent or only heard here.
  public func adjustAudioMixingVolume(_ volume: Int) throws(EngineError) {
    try setMixingVolume(volume) { mixing, volume in
      mixing.playoutVolume = volume
      mixing.publishVolume = volume
    }
  }

  /// Level of music that is only heard here, 0 to 100.
  public func adjustAudioMixingPlayoutVolume(_ volume: Int) throws(EngineError) {
    try setMixingVolume(volume) { $0.playoutVolume = $1 }
  }

  /// Level of music that is sent, 0 to 100.
  public func adjustAudioMixingPublishVolume(_ volume: Int) throws(EngineError) {
    try setMixingVolume(volume) { $0.publishVolume = $1 }
  }

  /// How long the music file is, in milliseconds. Throws: as `stopAudioMixing`, and where only its end will tell.
  public func audioMixingDuration() throws(EngineError) -> Int {
    try withMusic { player in
      guard let count = player.samplesPerChannel else {
        throw EngineError(.notReady, "how long the music is shows at its end only")
      }
      return count * 1_000 / player.soundRate
    }
  }

  /// How far into its file the music is, in milliseconds. Throws: as `stopAudioMixing`.
  public func audioMixingCurrentPosition() throws(EngineError) -> Int {
    try withMusic { $0.position * 1_000 / $0.soundRate }
  }

  /// Lets the music go on at another place of its file, in milliseconds.
  ///
  /// Throws: `.invalidArgument` for a place that the file does not have; as `stopAudioMixing`.
  public func setAudioMixingPosition(_ milliseconds: Int) throws(EngineError) {
    try withMusic { player in
      try player.seek(
        to: try SoundPlace.position(
          milliseconds: milliseconds, sampleRate: player.soundRate, count: player.samplesPerChannel, of: "the music"))
    }
  }

  private func setMixingVolume(
    _ percent: Int, call: String = #function, _ change: (inout MusicMixing, Volume) -> Void
  ) throws(EngineError) {
    try set("the volume of the music cannot be set", call: call) {
      let volume = try Volume(Double(percent), in: Volume.attenuationRange)
      sounds.setMixingVolume { change(&$0, volume) }
    }
  }

  private func withMusic<Result>(call: String = #function, _ body: (SoundPlayer) throws -> Result) throws(EngineError)
    -> Result
  {
    try set("the music", call: call) {
      // Music that has ended is gone, also before its event is delivered.
      sounds.collect()
      return try body(try sounds.currentMixing().chain.player)
    }
  }
}
