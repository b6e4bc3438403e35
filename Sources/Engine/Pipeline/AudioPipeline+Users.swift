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
    _ uid: UInt32, receiving receiver: ReceiverOptions, options: UserOptions = UserOptions()
  ) throws(EngineError) -> ReceiverSource {
    var receiver = receiver
    receiver.sourceID = uid
    let source = try ReceiverSource(receiver, of: self)
    try addRemoteUser(uid, from: source, options: options)
    return source
  }

  /// Takes a user out; what it still had to say is faded out over one frame.
  public func removeUser(_ uid: UInt32, channelID: String? = nil) throws(EngineError) {
    try edit("user \(uid) cannot be removed") {
      let key = UserKey(channelID: channelID ?? options.channelID, uid: uid)
      guard let user = remoteUsers[key] else { throw noSuchUser(uid) }
      if user.hasUplink, key.channelID == options.channelID { try removeMusic(of: .published(speaker: uid)) }
      try user.downlink?.remove(from: graph, hub: hub)
      try user.uplink?.remove(from: graph, hub: hub)
      endTrack(key)
      for node in [user.idleSink, user.codec?.id, user.sourceNode].compactMap({ $0 }) {
        try graph.remove(node)
      }
      remoteUsers[key] = nil
      userOrder.removeAll { $0 == key }
    }
  }

  /// Stops or resumes hearing a user. While muted no frame of it reaches BEFORE MIXING.
  public func muteRemoteAudioStream(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try edit("user \(uid) cannot be muted") {
      let key = UserKey(channelID: channelID ?? options.channelID, uid: uid)
      guard remoteUsers[key] != nil else { throw noSuchUser(uid) }
      remoteUsers[key]!.isMuted = isMuted
      try reconcile(key)
    }
  }

  /// Stops or resumes hearing every user, those that come later too.
  public func muteAllRemoteAudioStreams(_ isMuted: Bool) throws(EngineError) {
    try edit("the users cannot be muted") {
      isEveryRemoteMuted = isMuted
      for key in userOrder {
        remoteUsers[key]!.isMuted = isMuted
        try reconcile(key)
      }
    }
  }

  /// Switches the whole module: while disabled nobody is heard, recorded or mixed. Enabled at first.
  public func enableAudio(_ isEnabled: Bool = true) throws(EngineError) {
    try edit("audio cannot be switched") {
      isAudioEnabled = isEnabled
      for key in userOrder { try reconcile(key) }
      try reconcileLocal()
    }
  }

  /// Switches the whole module off: see `enableAudio`.
  public func disableAudio() throws(EngineError) { try enableAudio(false) }

  /// Level at which the listener hears one user, 0 to 100.
  public func adjustUserPlaybackSignalVolume(_ uid: UInt32, _ volume: Int, channelID: String? = nil)
    throws(EngineError)
  {
    try set("the volume of user \(uid) cannot be set") {
      let key = UserKey(channelID: channelID ?? options.channelID, uid: uid)
      guard remoteUsers[key] != nil else { throw noSuchUser(uid) }
      remoteUsers[key]!.userVolume = try Volume(Double(volume), in: Volume.attenuationRange)
      try applyLevels(key)
    }
  }

  /// Where the listener hears one user: pan -1 (left) to 1 (right), gain 0 to 100.
  public func setRemoteVoicePosition(_ uid: UInt32, pan: Double, gain: Int = 100, channelID: String? = nil)
    throws(EngineError)
  {
    try set("the position of user \(uid) cannot be set") {
      let key = UserKey(channelID: channelID ?? options.channelID, uid: uid)
      guard let user = remoteUsers[key] else { throw noSuchUser(uid) }
      let panning = try Panning(pan)
      try checkPanning(panning, of: user.source, uid)
      if panning != .center { listener.playbackLimiter.isArmed = true }
      remoteUsers[key]!.positionGain = try Volume(Double(gain), in: Volume.attenuationRange)
      remoteUsers[key]!.options.panning = panning
      remoteUsers[key]!.downlink?.panning = panning
      try applyLevels(key)
    }
  }

  /// Level of everything that the listener hears, 0 to 400.
  public func adjustPlaybackSignalVolume(_ volume: Int) throws(EngineError) {
    try set("the playback volume cannot be set") { setPlayback(try Volume(Double(volume))) }
  }

  /// The same in steps finer than one.
  package func setPlayback(_ volume: Volume) {
    if volume.percent > 100 { listener.playbackLimiter.isArmed = true }
    listener.playbackGain.set(volume)
    reconcileListening()
  }

  /// Level of what is sent, 0 to 400: the local user's, or that of one speaker whose uplink runs here.
  public func adjustRecordingSignalVolume(_ volume: Int, speaker uid: UInt32? = nil) throws(EngineError) {
    try set("the recording volume cannot be set") {
      let volume = try Volume(Double(volume))
      let uplink: Uplink?
      if let uid {
        guard let user = remoteUsers[speakerKey(uid)], user.hasUplink else { throw noSuchUser(uid) }
        uplink = user.uplink
      } else {
        guard localUser != nil else { throw EngineError(.notReady, "there is no local source; set one first") }
        localUser!.volume = volume
        uplink = localUser!.uplink
      }
      // Armed before the level rises.
      if volume.percent > 100 { uplink?.limiter.isArmed = true }
      if uid == nil { return applyRecordVolume() }
      uplink?.recordGain.set(volume)
    }
  }

  private func addUser(
    _ uid: UInt32, from source: any AudioSource, options user: UserOptions, hasUplink: Bool, call: String = #function
  ) throws(EngineError) {
    try edit("user \(uid) cannot be added", call: call) {
      let key = UserKey(channelID: user.channelID ?? options.channelID, uid: uid)
      guard remoteUsers[key] == nil else {
        throw EngineError(.invalidArgument, "user \(uid) is there already; choose another uid or remove it first")
      }
      try check(user, of: source, uid)
      var entry = RemoteUser(
        key: key, source: source, sourceNode: try graph.add(source.node, named: "source \(key.name)"), options: user,
        hasUplink: hasUplink)
      entry.isMuted = isEveryRemoteMuted
      entry.track = (source as? ReceiverSource).map { RemoteAudioTrack($0, tick: streamReports.tick) }
      var tail = entry.sourceNode
      if hasUplink {
        let place = FrameSource(position: .record, channelID: key.channelID, uid: uid)
        let uplink = try Uplink(
          after: tail, channelCount: source.channelCount, sentChannelCount: entry.channelCount, place: place,
          volume: user.recordVolume, pitch: user.voicePitch, isVoiceOnly: user.isVoiceOnly,
          name: key.name, graph: graph, hub: hub)
        tail = uplink.anchor
        entry.uplink = uplink
      }
      if let codec = user.codec {
        let node = try CodecNode(channelCount: entry.channelCount, options: codec)
        let id = try graph.add(node, named: "codec \(key.name)")
        try graph.connect(tail, to: id)
        entry.codec = (node, id)
      }
      remoteUsers[key] = entry
      userOrder.append(key)
      try reconcile(key)
    }
  }

  /// Where the samples of a speaker's codec have gone; nil where it has none. After the last tick.
  package func codecEdge(of uid: UInt32, named name: String) -> LedgerEdge? {
    lock.withLock { _ in remoteUsers[speakerKey(uid)]?.codec?.node.edge(named: name) }
  }

  /// - Parameter sent: channels of what is sent; nil for the source's.
  func checkChannels(_ sent: Int?, of source: any AudioSource) throws(EngineError) {
    guard let sent, sent != source.channelCount, sent != 2 || source.channelCount != 1 else { return }
    throw EngineError(
      .invalidArgument, "a source of \(source.channelCount) channels cannot be sent as \(sent); only mono as stereo")
  }

  /// Throws what would otherwise be found with half of the user in the graph.
  private func check(_ user: UserOptions, of source: any AudioSource, _ uid: UInt32) throws {
    try checkRate(of: source)
    _ = try AudioFormat(sampleRate: options.sampleRate, channelCount: source.channelCount)
    try checkPanning(user.panning, of: source, uid)
    try GainNode(channelCount: 1).set(user.gain)
    if user.voicePitch != nil { try checkPitch(of: source) }
    try checkChannels(user.sentChannelCount, of: source)
    guard let codec = user.codec else { return }
    try codec.validate()
    guard options.sampleRate == OpusOptions.sampleRate, source.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the codec needs a pipeline of \(OpusOptions.sampleRate) Hz and a mono or stereo source")
    }
  }

  /// Throws where a source's frames would play at another speed.
  func checkRate(of source: any AudioSource) throws(EngineError) {
    guard source.sampleRate == options.sampleRate else {
      throw EngineError(
        .invalidArgument,
        "a source of \(source.sampleRate) Hz does not fit a pipeline of \(options.sampleRate) Hz; make it with the "
          + "pipeline's rate, and it converts")
    }
  }

  private func checkPanning(_ panning: Panning, of source: any AudioSource, _ uid: UInt32) throws {
    guard panning == .center || (listener.format.channelCount == 2 && source.channelCount <= 2) else {
      throw EngineError(
        .invalidArgument, "user \(uid) cannot be panned: that needs a mono or stereo source and stereo output")
    }
  }

  private func connectDownlink(_ key: UserKey) throws {
    let user = remoteUsers[key]!
    remoteUsers[key]!.downlink = try Downlink(
      after: tail(of: user), channelCount: user.channelCount,
      place: FrameSource(position: .beforeMixing, channelID: key.channelID, uid: key.uid), options: user.options,
      name: user.name, playbackMixer: listener.playbackMixer, playbackChannelCount: listener.format.channelCount,
      graph: graph, hub: hub)
    try applyLevels(key)
  }

  private func applyLevels(_ key: UserKey) throws {
    guard let user = remoteUsers[key] else { return }
    try user.downlink?.apply(userVolume: user.userVolume, positionGain: user.positionGain)
    reconcileListening(key)
  }

  /// Brings the graph to what was asked for: a user is heard while it is not muted and audio is enabled.
  private func reconcile(_ key: UserKey) throws {
    guard let user = remoteUsers[key] else { return }
    let isHeard = isAudioEnabled && !user.isMuted
    noteHeard(key, isHeard)
    if isHeard, user.downlink == nil {
      if let idle = user.idleSink { try graph.remove(idle) }
      remoteUsers[key]!.idleSink = nil
      try connectDownlink(key)
    } else if !isHeard, user.idleSink == nil {
      try user.downlink?.remove(from: graph, hub: hub)
      remoteUsers[key]!.downlink = nil
      let idle = try graph.add(NullSinkNode(channelCount: user.channelCount), named: "unheard \(user.name)")
      try graph.connect(tail(of: user), to: idle)
      remoteUsers[key]!.idleSink = idle
    }
  }

  private func tail(of user: RemoteUser) -> NodeID {
    user.codec?.id ?? user.uplink?.anchor ?? user.sourceNode
  }

  func noSuchUser(_ uid: UInt32) -> EngineError {
    EngineError(.invalidArgument, "there is no user \(uid) here; add it first")
  }
}
