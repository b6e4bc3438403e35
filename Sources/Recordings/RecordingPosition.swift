/// Sound that a recording holds.
public enum RecordingPosition: Hashable, Sendable {
  /// Every sound once: MIXED.
  case mixed
  /// The sound that the local user sends: RECORD.
  case record
  /// The remote users together: PLAYBACK.
  case playback
  /// Each remote user before it is mixed, and the sound that the local user sends, in separate files.
  case eachUser
  /// One remote user before it is mixed; nil: a user of the pipeline's own channel.
  case user(UInt32, channel: String? = nil)
}
