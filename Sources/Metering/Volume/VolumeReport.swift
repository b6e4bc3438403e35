/// Identity of a user in reports.
public struct SpeakerID: Hashable, Sendable {
  /// The channel that the user is in.
  public let channelID: String
  /// The user; 0 for the local one.
  public let uid: UInt32

  /// Creates the identity of a user of a channel.
  public init(uid: UInt32, channelID: String = "") {
    self.channelID = channelID
    self.uid = uid
  }
}

/// Volume of one user.
public struct SpeakerVolume: Hashable, Sendable {
  /// The user; 0 for the local one.
  public let uid: UInt32
  /// The channel that the user is in.
  public let channelID: String
  /// Volume, 0 to 255, on the `VolumeScale`.
  public let volume: Int
  /// Voice activity: 1 while the local user speaks, 0 otherwise; always 0 for remote users, and if detection is off.
  public let vad: Int
  /// Pitch of the local user's voice in Hz; 0 for no pitch, and for remote users.
  public let voicePitch: Double

  /// Creates a speaker from its parts.
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
  /// Side of the users in a report.
  public enum Side: Hashable, Sendable {
    /// The local user.
    case local
    /// Remote users.
    case remote
  }

  /// Side of the users in this report.
  public let side: Side
  /// Volumes of the users. Local: the local user alone. Remote: at most as many users as
  /// `VolumeIndicationSettings.maximumSpeakerCount`, the loudest first; empty without remote users, or if none
  /// publishes.
  public let speakers: [SpeakerVolume]
  /// Total volume, 0 to 255. Local: of all sound that the local user sends, including music. Remote: of the listed
  /// speakers, with their powers added as for different voices.
  public let totalVolume: Int

  /// Creates a report from its parts.
  public init(side: Side, speakers: [SpeakerVolume], totalVolume: Int) {
    self.side = side
    self.speakers = speakers
    self.totalVolume = totalVolume
  }
}

/// Event of the volume indication.
public enum VolumeEvent: Hashable, Sendable {
  /// A report of volumes, each interval.
  case volumes(VolumeReport)
  /// A change of the active speaker, the remote user that was the loudest most often.
  case activeSpeaker(SpeakerID)
}
