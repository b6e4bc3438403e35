public import AudioGraph
import FrameObservers
import Metering

/// What users tell each other of their music, by whatever carries their signalling.
extension AudioPipeline {
  /// Whether music of `startAudioMixing` is sent with the local voice, paused or not: what the others are to be told.
  /// Thread: any.
  public var isMusicSent: Bool {
    lock.withLock { _ in
      sounds.mixing.current.map { $0.isPublished && $0.track.target == .publishedByLocalUser } ?? false
    }
  }

  /// Takes in what a user tells of its music; where that is news, it is told as a `remoteMusicStarted` or
  /// `remoteMusicFinished` event. Who leaves is forgotten.
  ///
  /// Throws: `.invalidArgument` when there is no such user.
  public func setRemoteMusic(_ uid: UInt32, isPlaying: Bool, channelID: String? = nil) throws(EngineError) {
    try set("the music of user \(uid) cannot be told") {
      let key = userStates.key(uid, channelID: channelID)
      guard try userStates.user(key).playsMusic != isPlaying else { return }
      userStates.remote[key]!.playsMusic = isPlaying
      let id = SpeakerID(uid: uid, channelID: key.channelID)
      core.post(isPlaying ? .remoteMusicStarted(id) : .remoteMusicFinished(id))
    }
  }
}
