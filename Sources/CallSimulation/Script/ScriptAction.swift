import Engine
public import Playback
public import RelayClient
public import Signalling

/// An action of a script in a call. Users are named by their numbers; listener 0 is the silent one.
public enum ScriptAction: Hashable, Sendable {
  /// Mutes a user's own voice, or the user for one listener alone; false unmutes it.
  case mute(Bool, user: UInt32, listener: UInt32? = nil)
  /// Level of a user's sent sound, 0 to 400.
  case recordingVolume(Int, user: UInt32)
  /// Level of all sound that a listener hears of others, 0 to 400.
  case playbackVolume(Int, listener: UInt32)
  /// Level of one user at a listener, 0 to 100.
  case userVolume(Int, user: UInt32, listener: UInt32)
  /// Position of one user at a listener: pan -1 (left) to 1 (right), gain 0 to 100.
  case position(pan: Double, gain: Int, user: UInt32, listener: UInt32)
  /// Plays a sound effect under a number.
  case playEffect(Int, SoundEffect, user: UInt32)
  /// Ends the effect with a number.
  case stopEffect(Int, user: UInt32)
  /// Plays music; music that already plays is stopped.
  case startMusic(ScriptMusic, user: UInt32)
  /// Fades music out, to continue later from the same position.
  case pauseMusic(user: UInt32)
  /// Continues music.
  case resumeMusic(user: UInt32)
  /// Ends music.
  case stopMusic(user: UInt32)
  /// Changes all links, those from one user, those to one listener, or the link between two.
  case network([NetworkChange], from: UInt32? = nil, to: UInt32? = nil)
  /// A user starts to send and to hear in a channel of a relay; nil: in the call. A user with a join as its first join
  /// or leave was in no channel before. A user that does not publish only hears the channel; of an audience the others
  /// know nothing.
  case join(user: UInt32, channel: ChannelName? = nil, publishes: Bool = true, role: ClientRole = .broadcaster)
  /// Changes a user's role, and as audience its latency level, in a channel of a relay; nil: in the call.
  case role(ClientRole, latency: AudienceLatencyLevel? = nil, user: UInt32, channel: ChannelName? = nil)
  /// A user connects a channel of a relay ahead of a join as audience; nil: the call.
  case preload(user: UInt32, channel: ChannelName? = nil)
  /// A user stops sending and hearing in a channel of a relay; nil: in the call.
  case leave(user: UInt32, channel: ChannelName? = nil)
  /// A user sends a message to a channel of a relay; nil: the call. Each kind of messages has a data stream.
  case sendStreamMessage(
    String, isReliable: Bool = true, isOrdered: Bool = true, user: UInt32, channel: ChannelName? = nil)
  /// A user of a channel is heard in other channels of a relay, and in no others; no channel ends the relay to them. A
  /// nil channel is the call.
  case relayMedia([ChannelName], user: UInt32, channel: ChannelName? = nil)
  /// The other channels get no audio of a user for now, or again.
  case pauseMediaRelay(Bool, user: UInt32, channel: ChannelName? = nil)
  /// Ends the relay without a word, as the loss of its process does.
  case stopRelay
  /// Starts the relay again, without its sessions.
  case startRelay
  /// Sets the relay's calendar forward or back, in seconds.
  case stepRelayClock(Double)
  /// Gives a user another port at the relay, as a new address translation does; in a new network, another host's
  /// address, and its TCP connections are lost.
  case changeAddress(user: UInt32, isNewNetwork: Bool)
  /// A user opens a session at the relay for one-to-one calls, unless it has one, and prepares the room of its next
  /// call; nil: a fresh room. A user with it as its first such action, join or leave was in no channel before. The text
  /// is for the other user, and a timeout of 0 ms rings without an end.
  case prepare(user: UInt32, room: ChannelName? = nil, timeoutMilliseconds: Int = 15_000, text: String? = nil)
  /// A user calls another one, with a text for it.
  case call(user: UInt32, to: UInt32, text: String? = nil)
  /// A user accepts the call that rings.
  case accept(user: UInt32)
  /// A user rejects the call that rings, with a text for the caller.
  case reject(user: UInt32, reason: String? = nil)
  /// A user hangs up, with a text for the other user.
  case hangup(user: UInt32, reason: String? = nil)
  /// A user cancels its call that rings at the other user.
  case cancel(user: UInt32)
  /// Lets a listener report the user that speaks most, at an interval; 0 ends it.
  case reportActiveSpeaker(intervalMilliseconds: Int, listener: UInt32)
}

extension ScriptAction {
  /// Name of the action in scripts and logs.
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
    case .role: .role
    case .preload: .preload
    case .leave: .leave
    case .sendStreamMessage: .sendStreamMessage
    case .relayMedia(let channels, _, _): channels.isEmpty ? .stopMediaRelay : .startMediaRelay
    case .pauseMediaRelay(let isPaused, _, _): isPaused ? .pauseMediaRelay : .resumeMediaRelay
    case .stopRelay: .stopRelay
    case .startRelay: .startRelay
    case .stepRelayClock: .stepRelayClock
    case .changeAddress: .changeAddress
    case .prepare: .prepare
    case .call: .call
    case .accept: .accept
    case .reject: .reject
    case .hangup: .hangup
    case .cancel: .cancel
    case .reportActiveSpeaker: .reportActiveSpeaker
    }
  }

  /// The user that the action concerns; the sender for a change of links. Nil if not one user alone.
  public var user: UInt32? {
    switch self {
    case .mute(_, let user, _), .recordingVolume(_, let user), .userVolume(_, let user, _),
      .position(_, _, let user, _), .playEffect(_, _, let user), .stopEffect(_, let user), .startMusic(_, let user),
      .pauseMusic(let user), .resumeMusic(let user), .stopMusic(let user), .join(let user, _, _, _),
      .role(_, _, let user, _), .preload(let user, _), .leave(let user, _),
      .sendStreamMessage(_, _, _, let user, _), .relayMedia(_, let user, _), .pauseMediaRelay(_, let user, _),
      .changeAddress(let user, _),
      .prepare(let user, _, _, _), .call(let user, _, _), .accept(let user), .reject(let user, _),
      .hangup(let user, _), .cancel(let user):
      user
    case .network(_, let from, _): from
    case .playbackVolume, .reportActiveSpeaker, .stopRelay, .startRelay, .stepRelayClock: nil
    }
  }

  /// The listener that the action applies to; nil if not one listener alone.
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

  /// Path of the sound file that the action plays; nil if there is none.
  public var soundPath: String? {
    switch self {
    case .playEffect(_, let effect, _): effect.path
    case .startMusic(let music, _): music.path
    default: nil
    }
  }

  /// Channel of a relay that the action names; nil if it names none.
  public var channel: ChannelName? {
    switch self {
    case .join(_, let channel, _, _), .role(_, _, _, let channel), .preload(_, let channel), .leave(_, let channel),
      .sendStreamMessage(_, _, _, _, let channel), .relayMedia(_, _, let channel), .pauseMediaRelay(_, _, let channel):
      channel
    default: nil
    }
  }

  /// Room that a preparation names; nil if it names none.
  public var room: ChannelName? {
    if case .prepare(_, let room, _, _) = self { room } else { nil }
  }

  /// User that is called; nil for other actions.
  public var callee: UInt32? {
    if case .call(_, let callee, _) = self { callee } else { nil }
  }

  /// Part of the action that needs a relay, as the subject of a sentence; nil if there is none.
  var partOfRelay: String? {
    switch self {
    case .stopRelay, .startRelay, .stepRelayClock, .changeAddress, .preload, .role, .sendStreamMessage, .relayMedia,
      .pauseMediaRelay, .prepare, .call, .accept, .reject, .hangup, .cancel:
      "'\(name.rawValue)'"
    case .join(_, .some, _, _), .leave(_, .some): "the key 'channel'"
    case .join(_, nil, publishes: false, _): "the key 'publish'"
    case .join(_, nil, _, role: .audience): "the key 'role'"
    default: nil
    }
  }

  /// The only user that hears the action's sound; nil if there is no such user.
  var lonelyListener: UInt32? {
    switch self {
    case .playEffect(_, let effect, let user): effect.isPublished ? nil : user
    case .startMusic(let music, let user): music.isLoopback ? user : nil
    default: nil
    }
  }
}
