public import AudioGraph
public import Effects

/// The users of a pipeline: `pipeline.users[7]`.
public struct UsersControls: Sendable {
  let pipeline: AudioPipeline

  /// One user of the pipeline's own channel, or of the main channel of an engine.
  public subscript(uid: UInt32) -> UserControls { self[uid, channel: nil] }

  /// One user of a channel; nil: the pipeline's own, or else the main channel of an engine.
  public subscript(uid: UInt32, channel channelID: String?) -> UserControls {
    UserControls(pipeline: pipeline, uid: uid, channelID: channelID)
  }

  /// Stops or resumes hearing every user, including users that come later.
  ///
  /// - Throws: An error of the graph.
  public func setAllMuted(_ isMuted: Bool) throws(EngineError) {
    try pipeline.edit("the users cannot be muted", call: "users.setAllMuted") {
      try pipeline.userStates.setAllMuted(isMuted)
    }
  }

  /// Sets the level of everything that the listener hears.
  ///
  /// - Throws: An error of the graph.
  public func setPlaybackVolume(_ volume: Volume) throws(EngineError) {
    try pipeline.set("the playback volume cannot be set", call: "users.setPlaybackVolume") {
      pipeline.setPlayback(volume)
    }
  }
}

extension AudioPipeline {
  /// The users, and how the listener hears them.
  public var users: UsersControls { UsersControls(pipeline: self) }
}
