public import FrameObservers

/// What the sound of a remote user does, with the numbers that programs know.
public enum RemoteAudioState: Int, Hashable, Sendable, CaseIterable {
  /// None comes: there is no stream, or it is muted at one of its ends.
  case stopped = 0
  /// A stream has begun: its first packet is there.
  case starting = 1
  /// It is decoded and plays.
  case decoding = 2
  /// It should play, and nothing has come for so long that 200 ms in a row had to be made up. It lasts until a packet is played
  /// again.
  case frozen = 3
  /// Packets come, and none can be decoded: 50 in a row were malformed, of another payload type or of another source.
  case failed = 4
}

/// Why the sound of a remote user does what it does, with the numbers that programs know.
public enum RemoteAudioReason: Int, Hashable, Sendable, CaseIterable {
  /// It came to it by itself.
  case `internal` = 0
  /// The network holds it up.
  case congestion = 1
  /// The network is better again.
  case recovery = 2
  /// The listener has muted the user, all users, or switched audio off.
  case localMuted = 3
  /// The listener hears the user again.
  case localUnmuted = 4
  /// The user has muted its stream.
  case remoteMuted = 5
  /// The user has unmuted its stream.
  case remoteUnmuted = 6
  /// The user has gone, or nothing has come from it for 15 s.
  case offline = 7
}

/// The sound of a remote user does something else than before.
public struct RemoteAudioChange: Hashable, Sendable {
  /// The user.
  public let speaker: SpeakerID
  /// What its sound does from now on.
  public let state: RemoteAudioState
  /// Why.
  public let reason: RemoteAudioReason
  /// Milliseconds since the call began: see `AudioPipeline.restartCallTime`.
  public let elapsedMilliseconds: Int

  /// A change from its parts.
  public init(speaker: SpeakerID, state: RemoteAudioState, reason: RemoteAudioReason, elapsedMilliseconds: Int) {
    self.speaker = speaker
    self.state = state
    self.reason = reason
    self.elapsedMilliseconds = elapsedMilliseconds
  }
}
