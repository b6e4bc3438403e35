import Signalling

/// Mutes of one channel. Each reports its outcome to its closure, and to `didApiCallExecute` of the delegate.
extension RtcConnection {
  /// Stops or resumes sending the local user's audio to this channel. The sound at RECORD continues while another
  /// channel takes it.
  ///
  /// - Parameters:
  ///   - isMuted: Whether the audio is stopped.
  ///   - completion: Called with the relay's answer; a refusal takes the mute back.
  public func muteLocalAudio(
    _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    change(.muteLocalAudio, completion) { $0.isMuted = isMuted }
  }

  /// Stops or resumes hearing a user.
  ///
  /// - Parameters:
  ///   - uid: The user.
  ///   - isMuted: Whether the user is not heard.
  ///   - completion: Called with the relay's answer; a refusal takes the mute back.
  public func muteRemote(
    _ uid: UInt32, _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    change(.muteRemote, completion) { settings in
      if isMuted { settings.mutedUsers.insert(uid) } else { settings.mutedUsers.remove(uid) }
    }
  }

  /// Stops or resumes hearing every user, including those that come later.
  ///
  /// - Parameters:
  ///   - isMuted: Whether nobody is heard.
  ///   - completion: Called with the relay's answer; a refusal takes the mute back.
  public func muteAllRemote(
    _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    change(.muteAllRemote, completion) { settings in
      settings.isEveryoneMuted = isMuted
      if !isMuted { settings.mutedUsers = [] }
    }
  }
}
