/// A user as reports name it.
public struct SpeakerID: Hashable, Sendable {
  /// The channel that the user is in.
  public let channelID: String
  /// The user; 0 for the local one.
  public let uid: UInt32

  /// A user of a channel.
  public init(uid: UInt32, channelID: String = "") {
    self.channelID = channelID
    self.uid = uid
  }
}

/// How loud one user is.
public struct SpeakerVolume: Hashable, Sendable {
  /// The user; 0 for the local one.
  public let uid: UInt32
  /// The channel that the user is in.
  public let channelID: String
  /// 0 to 255, as `VolumeScale` has it.
  public let volume: Int
  /// 1 while the local user speaks; 0 otherwise, for remote users, and where nobody asked for it.
  public let vad: Int
  /// Pitch of the local user's voice in Hz; 0 while there is none, and for remote users.
  public let voicePitch: Double

  /// A speaker from its parts.
  public init(uid: UInt32, channelID: String = "", volume: Int, vad: Int = 0, voicePitch: Double = 0) {
    self.uid = uid
    self.channelID = channelID
    self.volume = volume
    self.vad = vad
    self.voicePitch = voicePitch
  }
}

/// One of the two reports of an interval.
public struct VolumeReport: Hashable, Sendable {
  /// Whose volumes a report has.
  public enum Side: Hashable, Sendable {
    /// The local user's.
    case local
    /// Those of remote users.
    case remote
  }

  /// Whose volumes these are.
  public let side: Side
  /// Local: the local user alone. Remote: the loudest ones, at most three, the loudest first; empty where there is no
  /// remote user, or none publishes.
  public let speakers: [SpeakerVolume]
  /// 0 to 255. Local: of all that the local user sends, music too. Remote: of those speakers together, their powers
  /// added up as those of different voices do.
  public let totalVolume: Int

  /// A report from its parts.
  public init(side: Side, speakers: [SpeakerVolume], totalVolume: Int) {
    self.side = side
    self.speakers = speakers
    self.totalVolume = totalVolume
  }
}

/// What the volume indication has to say.
public enum VolumeEvent: Hashable, Sendable {
  /// Volumes, each interval.
  case volumes(VolumeReport)
  /// The remote user that was the loudest most often has become another one.
  case activeSpeaker(SpeakerID)
}
