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
    guard !lock.withLock({ _ in isStartedTooSoon }) else { return post(.music(.failed, .tooFrequent)) }
    let reader: AudioFileReader
    do {
      reader = try openSound(path, "the music cannot be played")
    } catch {
      post(.warning(PipelineWarning(.cannotOpen, error.message)))
      return post(.music(.failed, .cannotOpen))
    }
    let origin = try SoundPlace.position(
      milliseconds: startMilliseconds, sampleRate: reader.format.sampleRate, count: reader.samplesPerChannel,
      of: "the music")
    try edit("the music cannot be played") {
      // Somebody else may have started some while the file was opened.
      guard !isStartedTooSoon else { return post(.music(.failed, .tooFrequent)) }
      do {
        try beginMixing(
          reader, to: loopback ? .loopback : publishingTarget, isPublished: !loopback,
          replacesVoice: replace && !loopback, cycle: cycle, from: origin)
      } catch let error as AudioFileError {
        // The file is damaged: there is no way to where it is to begin.
        post(.warning(PipelineWarning(.cannotOpen, "the music cannot be played: \(error)")))
        return post(.music(.failed, .cannotOpen))
      }
      mixing.lastStart = nowPosition
    }
  }

  /// Plays an open file along with what a speaker sends whose uplink runs here; told as that of `startAudioMixing` is.
  package func startMusic(_ reader: AudioFileReader, volume: Volume, cycle: Int, with uid: UInt32) throws(EngineError)
    -> SoundPlayer
  {
    try edit("the music cannot be played") {
      guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: reader.path) }
      mixing.publishVolume = volume
      return try beginMixing(
        reader, to: .published(speaker: uid), isPublished: true, replacesVoice: false, cycle: cycle, from: 0)
    }
  }

  /// Why the music that was played last ended before its end; nil when it did not.
  package var mixingFailure: AudioFileError? { lock.withLock { _ in mixing.failure } }

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

  /// Tells what the music has come to. Under the lock.
  func tellMixing(_ event: PlayerEvent) {
    // A player that has not been in a tick yet knows no time.
    let position = max(event.position, mixing.current?.begin ?? 0)
    tellMixingStart(at: position)
    switch event.kind {
    case .started: break
    case .passEnded:
      post(.music(.playing, .loopCompleted), at: position)
      post(.music(.playing, .newLoop), at: position)
    case .paused: post(.music(.paused, .pausedByUser), at: position)
    case .resumed: post(.music(.playing, .resumedByUser), at: position)
    case .stopped: endMixing(.stopped, .stoppedByUser, at: position)
    case .finished:
      guard let failure = mixing.current?.chain.player.failure else {
        endMixing(.stopped, .allLoopsCompleted, at: position)
        return post(.musicFinished, at: position)
      }
      mixing.failure = failure
      post(.warning(PipelineWarning(.interrupted, "music: \(failure)")), at: position)
      endMixing(.failed, .interrupted, at: position)
    }
  }

  /// Brings the level of the local voice to the audio thread: what was asked for, or nothing where music replaces it.
  func applyRecordVolume() {
    guard let user = localUser else { return }
    user.uplink?.recordGain.set(mixing.current?.replacesVoice == true ? .silence : user.volume)
  }

  /// The music goes with a voice that leaves: nothing of it is left to fade out. Within an edit, before its nodes go.
  func interruptMixing(with target: MusicTarget) {
    guard let current = mixing.current, current.track.target == target else { return }
    tellMixingStart(at: nil)
    mixing.current = nil
    prefetch?.remove(current.chain.player)
    post(.music(.stopped, .interrupted))
  }

  @discardableResult
  private func beginMixing(
    _ reader: AudioFileReader, to target: MusicTarget, isPublished: Bool, replacesVoice: Bool, cycle: Int,
    from origin: Int
  ) throws -> SoundPlayer {
    try needPrefetching()
    let plays = cycle < 0 ? nil : cycle
    let added = try addSound(
      .file(reader), plays: plays, from: origin,
      settings: SoundSettings(volume: mixing.level(isPublished: isPublished)), to: target,
      named: "music")
    endMixing(.stopped, .stoppedByUser, at: nil)
    mixing.current = .init(
      chain: added.chain, track: added.track, isPublished: isPublished, replacesVoice: replacesVoice,
      begin: nowPosition)
    mixing.failure = nil
    let player = added.chain.player
    player.start(added.loaded)
    startPrefetching(player)
    applyRecordVolume()
    return player
  }

  /// Tells once that the music plays: where its first sample is heard, or where it is paused or ended before that.
  private func tellMixingStart(at position: Int?) {
    guard mixing.current?.isStartTold == false else { return }
    mixing.current?.isStartTold = true
    post(.music(.playing, .startedByUser), at: position)
  }

  private func endMixing(_ state: MusicState, _ reason: MusicReason, at position: Int?) {
    guard let current = mixing.current else { return }
    tellMixingStart(at: position)
    mixing.current = nil
    end(current.chain, current.track)
    applyRecordVolume()
    post(.music(state, reason), at: position)
  }

  /// Under the lock.
  private var isStartedTooSoon: Bool {
    mixing.lastStart.map { nowPosition - $0 < options.sampleRate / 2 } ?? false
  }

  private func setMixingVolume(
    _ percent: Int, call: String = #function, _ change: (inout MusicMixing, Volume) -> Void
  ) throws(EngineError) {
    try set("the volume of the music cannot be set", call: call) {
      change(&mixing, try Volume(Double(percent), in: Volume.attenuationRange))
      if let current = mixing.current { current.chain.set(mixing.level(isPublished: current.isPublished)) }
    }
  }

  private func withMusic<Result>(call: String = #function, _ body: (SoundPlayer) throws -> Result) throws(EngineError)
    -> Result
  {
    try set("the music", call: call) {
      // What has ended is not to be had any more, also where nobody has been told yet.
      collectSounds()
      guard let current = mixing.current else { throw EngineError(.notReady, "no music plays; start it first") }
      return try body(current.chain.player)
    }
  }
}
