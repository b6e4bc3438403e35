import AudioFiles
import AudioGraph
import Effects
import Playback

/// The music of `startAudioMixing`.
extension SoundsState {
  /// Whether music was started less than 500 ms ago.
  var isMixingTooSoon: Bool {
    mixing.lastStart.map { core.nowPosition - $0 < core.options.sampleRate / 2 } ?? false
  }

  /// Returns the music, which must play or be paused.
  func currentMixing() throws(EngineError) -> MusicMixing.Current {
    guard let current = mixing.current else { throw EngineError(.notReady, "no music plays; start it first") }
    return current
  }

  /// Starts the music of an open file.
  ///
  /// - Parameters:
  ///   - reader: The open file.
  ///   - target: Destination of the music.
  ///   - isPublished: Whether the music is sent.
  ///   - replacesVoice: Whether the music takes the place of the local voice.
  ///   - plays: How often the music is played; nil: forever.
  ///   - origin: First sample that will be heard, at the file's own rate.
  @discardableResult
  func beginMixing(
    _ reader: AudioFileReader, to target: MusicTarget, isPublished: Bool, replacesVoice: Bool, plays: Int?,
    from origin: Int
  ) throws -> SoundPlayer {
    try needPrefetching()
    let added = try addSound(
      .file(reader), plays: plays, from: origin,
      settings: SoundSettings(volume: mixing.level(isPublished: isPublished)), to: target,
      named: "music")
    endMixing(.stopped, .stoppedByUser, at: nil)
    mixing.current = .init(
      chain: added.chain, track: added.track, isPublished: isPublished, begin: core.nowPosition)
    mixing.failure = nil
    let player = added.chain.player
    player.start(added.loaded)
    startPrefetching(player)
    users.setVoiceReplaced(replacesVoice)
    return player
  }

  func setMixingVolume(_ change: (inout MusicMixing) -> Void) {
    change(&mixing)
    if let current = mixing.current { current.chain.set(mixing.level(isPublished: current.isPublished)) }
  }

  func reportMixing(_ event: PlayerEvent) {
    // A player that has not been in a tick yet does not know the time.
    let position = max(event.position, mixing.current?.begin ?? 0)
    reportMixingStart(at: position)
    switch event.kind {
    case .started: break
    case .passEnded:
      core.post(.music(.playing, .loopCompleted), at: position)
      core.post(.music(.playing, .newLoop), at: position)
    case .paused: core.post(.music(.paused, .pausedByUser), at: position)
    case .resumed: core.post(.music(.playing, .resumedByUser), at: position)
    case .stopped: endMixing(.stopped, .stoppedByUser, at: position)
    case .finished:
      guard let failure = mixing.current?.chain.player.failure else {
        endMixing(.stopped, .allLoopsCompleted, at: position)
        return core.post(.musicFinished, at: position)
      }
      mixing.failure = failure
      core.post(.warning(PipelineWarning(.interrupted, "music: \(failure)")), at: position)
      endMixing(.failed, .interrupted, at: position)
    }
  }

  /// Ends music that goes with a leaving voice: no nodes stay to fade it out. Before its nodes leave.
  func interruptMixing(with target: MusicTarget) {
    guard let current = mixing.current, current.track.target == target else { return }
    reportMixingStart(at: nil)
    mixing.current = nil
    users.isVoiceReplaced = false
    stopPrefetching(current.chain.player)
    core.post(.music(.stopped, .interrupted))
  }

  /// Reports once that the music plays: at its first sample, or when it is paused or ended before that.
  private func reportMixingStart(at position: Int?) {
    guard mixing.current?.isStartTold == false else { return }
    mixing.current?.isStartTold = true
    core.post(.music(.playing, .startedByUser), at: position)
  }

  private func endMixing(_ state: MusicState, _ reason: MusicReason, at position: Int?) {
    guard let current = mixing.current else { return }
    reportMixingStart(at: position)
    mixing.current = nil
    end(current.chain, current.track)
    users.setVoiceReplaced(false)
    core.post(.music(state, reason), at: position)
  }
}
