/// Names of script actions, and the keys of each besides `time_s` and `name`.
public enum ScriptActionName: String, CaseIterable, Hashable, Sendable {
  /// Mutes a user.
  case mute
  /// Unmutes a user.
  case unmute
  /// Sets the level of a user's sent sound.
  case recordingVolume
  /// Sets the level of all sound that a listener hears.
  case playbackVolume
  /// Sets the level of one user at a listener.
  case userVolume
  /// Sets the position of one user at a listener.
  case position
  /// Plays a sound effect.
  case playEffect
  /// Ends a sound effect.
  case stopEffect
  /// Plays music.
  case startMusic
  /// Pauses music.
  case pauseMusic
  /// Continues music.
  case resumeMusic
  /// Ends music.
  case stopMusic
  /// Changes links.
  case network
  /// A user joins.
  case join
  /// A user changes its role.
  case role
  /// A user preloads a channel.
  case preload
  /// A user sends a message of a data stream.
  case sendStreamMessage
  /// Lets a user be heard in other channels.
  case startMediaRelay
  /// Lets the other channels get no audio for now.
  case pauseMediaRelay
  /// Lets the other channels get the audio again.
  case resumeMediaRelay
  /// Ends the relay to other channels.
  case stopMediaRelay
  /// A user leaves.
  case leave
  /// Ends the relay.
  case stopRelay
  /// Starts the relay again.
  case startRelay
  /// Sets the relay's calendar.
  case stepRelayClock
  /// Gives a user another address.
  case changeAddress
  /// A user prepares one-to-one calls.
  case prepare
  /// A user calls another one.
  case call
  /// A user accepts a call.
  case accept
  /// A user rejects a call.
  case reject
  /// A user ends a call.
  case hangup
  /// A user cancels its call.
  case cancel
  /// Lets a listener report the user that speaks most.
  case reportActiveSpeaker

  /// Keys of the object, in the order in which they are documented.
  public var keys: [String] {
    switch self {
    case .mute, .unmute: ["user", "listener"]
    case .recordingVolume: ["user", "volume"]
    case .playbackVolume: ["listener", "volume"]
    case .userVolume: ["user", "listener", "volume"]
    case .position: ["user", "listener", "pan", "gain"]
    case .playEffect: ["user", "id", "file", "loops", "pitch", "pan", "gain", "publish", "start_ms"]
    case .stopEffect: ["user", "id"]
    case .startMusic: ["user", "file", "publish", "replace", "cycles", "start_ms"]
    case .pauseMusic, .resumeMusic, .stopMusic: ["user"]
    case .join: ["user", "channel", "publish", "role"]
    case .role: ["user", "channel", "role", "latency"]
    case .preload, .leave: ["user", "channel"]
    case .sendStreamMessage: ["user", "channel", "text", "reliable", "ordered"]
    case .startMediaRelay: ["user", "channel", "channels"]
    case .pauseMediaRelay, .resumeMediaRelay, .stopMediaRelay: ["user", "channel"]
    case .changeAddress: ["user", "new_network"]
    case .prepare: ["user", "room", "timeout_ms", "text"]
    case .call: ["user", "to", "text"]
    case .accept, .cancel: ["user"]
    case .reject, .hangup: ["user", "reason"]
    case .network:
      [
        "from", "to", "loss_percent", "loss_burst", "delay_ms", "jitter_ms", "jitter_gamma_ms", "delay_trace",
        "spikes_per_s", "spikes_min_ms", "spikes_max_ms", "reorder_percent", "reorder_by_ms", "duplicate_percent",
        "bandwidth_kbit", "queue_ms",
      ]
    case .stopRelay, .startRelay: []
    case .stepRelayClock: ["step_s"]
    case .reportActiveSpeaker: ["listener", "interval_ms"]
    }
  }
}
