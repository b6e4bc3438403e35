public import AudioGraph
package import Effects
import FrameObservers
public import MediaStreams
import OpusCodec

extension AudioPipeline {
  /// Adds a user whose own uplink runs here: RECORD, the codec if asked for, then the way to the listener.
  ///
  /// Throws: `.invalidArgument` when the user is there already or its format does not fit.
  public func addSpeaker(_ uid: UInt32, from source: any AudioSource, options: UserOptions = UserOptions())
    throws(EngineError)
  {
    try addUser(uid, from: source, options: options, hasUplink: true)
  }

  /// Adds a user whose frames arrive as they were sent: BEFORE MIXING, then the way to the listener.
  ///
  /// Throws: as `addSpeaker`.
  public func addRemoteUser(_ uid: UInt32, from source: any AudioSource, options: UserOptions = UserOptions())
    throws(EngineError)
  {
    try addUser(uid, from: source, options: options, hasUplink: false)
  }

  /// Adds a user whose packets arrive over a network: jitter buffer and decoder, BEFORE MIXING, then the way to the
  /// listener. Its codec is decoded only while somebody hears it.
  ///
  /// Returns: what is to be given the packets. Throws: as `addSpeaker`, and for a pipeline that is not at 48 kHz.
  @discardableResult
  public func addRemoteUser(
    _ uid: UInt32, receiving receiver: JitterBufferOptions, options: UserOptions = UserOptions()
  ) throws(EngineError) -> RTPSource {
    var receiver = receiver
    receiver.sourceID = uid
    let source = try RTPSource(receiver, of: self)
    try addRemoteUser(uid, from: source, options: options)
    return source
  }

  /// Takes a user out; what it still had to say is faded out over one frame.
  public func removeUser(_ uid: UInt32, channelID: String? = nil) throws(EngineError) {
    try edit("user \(uid) cannot be removed") {
      let key = users.key(uid, channelID: channelID)
      let user = try users.user(key)
      if user.hasUplink, key.channelID == options.channelID { try sounds.remove(with: .published(speaker: uid)) }
      try users.remove(key)
    }
  }

  /// Stops or resumes hearing a user. While muted no frame of it reaches BEFORE MIXING.
  public func muteRemoteAudioStream(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try edit("user \(uid) cannot be muted") { try users.setMuted(users.key(uid, channelID: channelID), isMuted) }
  }

  /// Stops or resumes hearing every user, those that come later too.
  public func muteAllRemoteAudioStreams(_ isMuted: Bool) throws(EngineError) {
    try edit("the users cannot be muted") { try users.setAllMuted(isMuted) }
  }

  /// Switches the whole module: while disabled nobody is heard, recorded or mixed. Enabled at first.
  public func enableAudio(_ isEnabled: Bool = true) throws(EngineError) {
    try edit("audio cannot be switched") {
      users.isAudioEnabled = isEnabled
      try users.reconcile()
    }
  }

  /// Switches the whole module off: see `enableAudio`.
  public func disableAudio() throws(EngineError) { try enableAudio(false) }

  /// Level at which the listener hears one user, 0 to 100.
  public func adjustUserPlaybackSignalVolume(_ uid: UInt32, _ volume: Int, channelID: String? = nil)
    throws(EngineError)
  {
    try set("the volume of user \(uid) cannot be set") {
      let key = users.key(uid, channelID: channelID)
      try users.setVolume(key, volume)
      reconcileListening(key)
    }
  }

  /// Where the listener hears one user: pan -1 (left) to 1 (right), gain 0 to 100.
  public func setRemoteVoicePosition(_ uid: UInt32, pan: Double, gain: Int = 100, channelID: String? = nil)
    throws(EngineError)
  {
    try set("the position of user \(uid) cannot be set") {
      let key = users.key(uid, channelID: channelID)
      try users.setPosition(key, pan: pan, gain: gain)
      reconcileListening(key)
    }
  }

  /// Level of everything that the listener hears, 0 to 400.
  public func adjustPlaybackSignalVolume(_ volume: Int) throws(EngineError) {
    try set("the playback volume cannot be set") { setPlayback(try Volume(Double(volume))) }
  }

  /// The same in steps finer than one.
  package func setPlayback(_ volume: Volume) {
    if volume.percent > 100 { core.listener.playbackLimiter.isArmed = true }
    core.listener.playbackGain.set(volume)
    reconcileListening()
  }

  /// Level of what is sent, 0 to 400: the local user's, or that of one speaker whose uplink runs here.
  public func adjustRecordingSignalVolume(_ volume: Int, speaker uid: UInt32? = nil) throws(EngineError) {
    try set("the recording volume cannot be set") { try users.setRecordVolume(volume, speaker: uid) }
  }

  private func addUser(
    _ uid: UInt32, from source: any AudioSource, options user: UserOptions, hasUplink: Bool, call: String = #function
  ) throws(EngineError) {
    try edit("user \(uid) cannot be added", call: call) {
      try users.add(uid, from: source, options: user, hasUplink: hasUplink)
    }
  }

  /// Where the samples of a speaker's codec have gone; nil where it has none. After the last tick.
  package func codecEdge(of uid: UInt32, named name: String) -> LedgerEdge? {
    lock.withLock { _ in users.remote[users.key(uid)]?.codec?.node.edge(named: name) }
  }
}
