public import AudioGraph
import FrameObservers
import Metering

/// Reports of users to each other about their music, by any kind of signaling.
extension AudioPipeline {
  /// Whether music of `startAudioMixing` is sent with the local voice, paused or not: the report for the other users.
  /// Thread: any.
  public var isMusicSent: Bool {
    lock.withLock { _ in
      sounds.mixing.current.map { $0.isPublished && $0.track.target == .publishedByLocalUser } ?? false
    }
  }

  /// Accepts a user's report about its music. A change is reported as a `remoteMusicStarted` or `remoteMusicFinished`
  /// event. The report is forgotten when the user leaves.
  ///
  /// - Throws: `.invalidArgument` if there is no such user.
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
