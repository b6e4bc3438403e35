/// Call that waits for the relay's answer. Its name is that of the method.
public enum ApiCall: String, Hashable, Sendable, CaseIterable {
  /// Changes options of a channel.
  case updateChannelOptions
  /// Changes the role.
  case setClientRole
  /// Replaces the token.
  case renewToken
  /// Stops or resumes sending the local user's audio.
  case muteLocalAudio
  /// Stops or resumes hearing a user.
  case muteRemote
  /// Stops or resumes hearing every user.
  case muteAllRemote
  /// Sets the users that are heard in any case.
  case setSubscribeAudioAllowlist
  /// Sets the users that are not heard.
  case setSubscribeAudioBlocklist
  /// Makes the uid of an account known.
  case registerLocalUserAccount
  /// Requests the reasons of silence.
  case diagnose
  /// Lets the user be heard in other channels.
  case startOrUpdateChannelMediaRelay
  /// Ends the relay to other channels.
  case stopChannelMediaRelay
  /// Lets the other channels get no audio for now.
  case pauseAllChannelMediaRelay
  /// Lets the other channels get the audio again.
  case resumeAllChannelMediaRelay
}
