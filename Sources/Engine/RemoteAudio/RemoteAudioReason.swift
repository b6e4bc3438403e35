/// Reason for the state of a remote user's sound, with the numbers that programs know.
public enum RemoteAudioReason: Int, Hashable, Sendable, CaseIterable {
  /// The sound reached the state by itself.
  case `internal` = 0
  /// The network delays the sound.
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
