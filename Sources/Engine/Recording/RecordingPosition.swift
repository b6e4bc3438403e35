/// What a recording holds.
public enum RecordingPosition: Hashable, Sendable {
  /// Every sound once: MIXED.
  case mixed
  /// What the local user sends: RECORD.
  case record
  /// The remote users together: PLAYBACK.
  case playback
  /// Each remote user before it is mixed, and what the local user sends, in files of their own.
  case eachUser
  /// One remote user before it is mixed; a user of the pipeline's own channel.
  case user(UInt32)
}
