import Engine
public import Playback

/// Something that a script does in a call. Users are named by their numbers; the listener 0 is the one who says
/// nothing.
public enum ScriptAction: Hashable, Sendable {
  /// Mutes a user's own voice, or for one listener alone; false lets it be heard again.
  case mute(Bool, user: UInt32, listener: UInt32? = nil)
  /// Level of what a user sends, 0 to 400.
  case recordingVolume(Int, user: UInt32)
  /// Level of all that a listener hears of others, 0 to 400.
  case playbackVolume(Int, listener: UInt32)
  /// Level of one user at a listener, 0 to 100.
  case userVolume(Int, user: UInt32, listener: UInt32)
  /// Where a listener hears one user: pan -1 (left) to 1 (right), gain 0 to 100.
  case position(pan: Double, gain: Int, user: UInt32, listener: UInt32)
  /// Plays a sound effect under a number.
  case playEffect(Int, SoundEffect, user: UInt32)
  /// Ends the effect of a number.
  case stopEffect(Int, user: UInt32)
  /// Plays music; what plays is stopped.
  case startMusic(ScriptMusic, user: UInt32)
  /// Fades music out, to go on where it was.
  case pauseMusic(user: UInt32)
  /// Lets music go on.
  case resumeMusic(user: UInt32)
  /// Ends music.
  case stopMusic(user: UInt32)
  /// Changes all links, those from one user, those to one listener, or the link between two.
  case network([NetworkChange], from: UInt32? = nil, to: UInt32? = nil)
  /// A user begins to send and to hear. One whose first such action this is was not in the call before.
  case join(user: UInt32)
  /// A user sends and hears no more.
  case leave(user: UInt32)
  /// Has a listener report at an interval who speaks most; 0 ends it.
  case reportActiveSpeaker(intervalMilliseconds: Int, listener: UInt32)
}

extension ScriptAction {
  /// What scripts and logs call it.
  public var name: ScriptActionName {
    switch self {
    case .mute(let isMuted, _, _): isMuted ? .mute : .unmute
    case .recordingVolume: .recordingVolume
    case .playbackVolume: .playbackVolume
    case .userVolume: .userVolume
    case .position: .position
    case .playEffect: .playEffect
    case .stopEffect: .stopEffect
    case .startMusic: .startMusic
    case .pauseMusic: .pauseMusic
    case .resumeMusic: .resumeMusic
    case .stopMusic: .stopMusic
    case .network: .network
    case .join: .join
    case .leave: .leave
    case .reportActiveSpeaker: .reportActiveSpeaker
    }
  }

  /// Who it is about; for a change of links who sends.
  public var user: UInt32? {
    switch self {
    case .mute(_, let user, _), .recordingVolume(_, let user), .userVolume(_, let user, _),
      .position(_, _, let user, _), .playEffect(_, _, let user), .stopEffect(_, let user), .startMusic(_, let user),
      .pauseMusic(let user), .resumeMusic(let user), .stopMusic(let user), .join(let user), .leave(let user):
      user
    case .network(_, let from, _): from
    case .playbackVolume, .reportActiveSpeaker: nil
    }
  }

  /// For whom it holds; nil where that is not one listener alone.
  public var listener: UInt32? {
    switch self {
    case .mute(_, _, let listener): listener
    case .playbackVolume(_, let listener), .userVolume(_, _, let listener), .position(_, _, _, let listener),
      .reportActiveSpeaker(_, let listener):
      listener
    case .network(_, _, let to): to
    default: nil
    }
  }

  /// The sound file that it plays.
  public var soundPath: String? {
    switch self {
    case .playEffect(_, let effect, _): effect.path
    case .startMusic(let music, _): music.path
    default: nil
    }
  }

  /// Who hears a sound that nobody else hears.
  var lonelyListener: UInt32? {
    switch self {
    case .playEffect(_, let effect, let user): effect.isPublished ? nil : user
    case .startMusic(let music, let user): music.isLoopback ? user : nil
    default: nil
    }
  }
}
