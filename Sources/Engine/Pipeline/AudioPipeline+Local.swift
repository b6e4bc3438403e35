public import AudioGraph
public import Effects
import FrameObservers

extension AudioPipeline {
  /// Gives the listener a voice of its own, which is in RECORD and MIXED but not in PLAYBACK.
  ///
  /// - Parameters:
  ///   - pitch: what is done to the voice's pitch, its delay included; nil for nothing.
  ///   - sentChannelCount: channels of what is sent: the source's (nil), or 2 for a mono voice whose music and effects
  ///     are stereo or have a place.
  /// - Throws: `.wrongState` when there is one already, `.invalidArgument` for another count of channels.
  public func setLocalSource(
    _ source: any AudioSource, volume: Volume = .unchanged, pitch: VoicePitch? = nil, sentChannelCount: Int? = nil
  ) throws(EngineError) {
    try edit("the local source cannot be set") {
      guard localUser == nil else {
        throw EngineError(.wrongState, "there is a local source already; make another pipeline or mute this one")
      }
      try checkRate(of: source)
      try checkChannels(sentChannelCount, of: source)
      if pitch != nil { try checkPitch(of: source) }
      let node = try graph.add(source.node, named: "local source")
      localUser = LocalUser(
        source: source, sourceNode: node, sentChannelCount: sentChannelCount ?? source.channelCount, volume: volume,
        pitch: pitch)
      try reconcileLocal()
    }
  }

  /// Stops or resumes sending the local user. While muted no frame of its voice reaches RECORD, MIXED or its own ears;
  /// music and effects that are sent with it go on, heard here alone.
  public func muteLocalAudioStream(_ isMuted: Bool) throws(EngineError) {
    try changeLocal("the local stream cannot be muted") { $0.isMuted = isMuted }
  }

  /// Stops or resumes capturing the local user; what it hears goes on, music and effects that are sent with it too.
  public func enableLocalAudio(_ isEnabled: Bool) throws(EngineError) {
    try changeLocal("local audio cannot be switched") { $0.isCaptured = isEnabled }
  }

  /// Lets the local user hear its own voice, at a volume of 0 to 400, or no longer.
  public func enableInEarMonitoring(_ isEnabled: Bool, volume: Int = 100) throws(EngineError) {
    let wanted: Volume
    do {
      wanted = try Volume(Double(volume))
    } catch {
      throw EngineError(.invalidArgument, "ear monitoring cannot be set: \(error)", cause: error)
    }
    try changeLocal("ear monitoring cannot be set") { $0.earVolume = isEnabled ? wanted : nil }
  }

  /// Changes the pitch of the local voice, 0.5 (an octave down) to 2 (an octave up); its speed stays.
  ///
  /// The first call with a ratio other than 1, and another mode, change the delay of the uplink by that of the mode,
  /// with one crossfaded frame; later ratios glide over a frame. A ratio of 1 keeps the delay.
  ///
  /// Throws: `.invalidArgument` out of range, `.notReady` without a local source.
  public func setLocalVoicePitch(_ ratio: Double, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false)
    throws(EngineError)
  {
    try edit("the pitch of the local voice cannot be set") {
      let wanted = VoicePitch(try PitchRatio(ratio), mode: mode, keepsFormants: keepsFormants)
      guard let user = localUser else { throw EngineError(.notReady, "there is no local source; set one first") }
      if user.pitch == nil, wanted.ratio == .unchanged { return }
      try checkPitch(of: user.source)
      localUser!.pitch = wanted
      // Armed before the pitch moves: what is heard first may be loud already.
      if wanted.ratio != .unchanged { user.uplink?.limiter.isArmed = true }
      try localUser!.uplink?.setPitch(wanted, graph: graph)
    }
  }

  /// Lets speech alone through, of the local voice or of one speaker whose uplink runs here: keystrokes, fans and what
  /// is between words are taken away. Off at first.
  ///
  /// The first call that switches it on adds a `VoiceOnlyNode` and its delay, about 55 ms, to the uplink, with one
  /// crossfaded frame; from then on a switch is a crossfade of one frame that keeps the delay.
  ///
  /// Throws: `.notReady` without a local source, `.invalidArgument` where there is no such speaker.
  public func setVoiceOnlyMode(_ isOn: Bool, speaker uid: UInt32? = nil) throws(EngineError) {
    try edit("the voice-only mode cannot be set") {
      if let uid {
        let key = speakerKey(uid)
        guard let user = remoteUsers[key], user.hasUplink else { throw noSuchUser(uid) }
        if isOn { user.uplink?.limiter.isArmed = true }
        return try remoteUsers[key]!.uplink!.setVoiceOnly(isOn, graph: graph)
      }
      guard let user = localUser else { throw EngineError(.notReady, "there is no local source; set one first") }
      localUser!.isVoiceOnly = isOn
      if isOn { user.uplink?.limiter.isArmed = true }
      try localUser!.uplink?.setVoiceOnly(isOn, graph: graph)
    }
  }

  func checkPitch(of source: any AudioSource) throws {
    guard source.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the pitch of \(source.channelCount) channels cannot be changed, only of 1 or 2")
    }
  }

  /// Brings the graph to what was asked for: a voice is sent while it is captured, not muted, and audio is enabled.
  func reconcileLocal() throws {
    guard let user = localUser else { return }
    let isSent = isAudioEnabled && user.isCaptured && !user.isMuted
    if isSent, user.uplink == nil {
      if let idle = user.idleSink { try graph.remove(idle) }
      localUser!.idleSink = nil
      try connectUplink()
    } else if !isSent, let uplink = user.uplink {
      try disconnectEar()
      if let map = user.mapNode { try graph.remove(map) }
      try uplink.remove(from: graph, hub: hub)
      localUser!.uplink = nil
      localUser!.mapNode = nil
    }
    if !isSent, localUser!.idleSink == nil {
      let idle = try graph.add(NullSinkNode(channelCount: user.source.channelCount), named: "unheard local source")
      try graph.connect(user.sourceNode, to: idle)
      localUser!.idleSink = idle
    }
    try reconcileEar()
    try connectMusic()
  }

  /// Lets what goes with the local voice be heard here while that voice is not sent.
  func reconcileUnsent() throws {
    guard let user = localUser else { return }
    let isWanted = user.uplink == nil && isAudioEnabled && hasMusic(.publishedByLocalUser)
    guard isWanted == user.unsent.isEmpty else { return }
    for node in user.unsent { try graph.remove(node) }
    localUser!.unsent = []
    guard isWanted else { return }
    let channels = user.sentChannelCount
    let mixer = try graph.add(MixerNode(channelCount: channels), named: "unsent music")
    localUser!.unsent = [mixer] + (try connectToMixed(mixer, channelCount: channels).map { [$0] } ?? [])
  }

  /// Lets the listener hear what a node gives. Returns: the node between, if one is needed.
  private func connectToMixed(_ node: NodeID, channelCount: Int) throws -> NodeID? {
    let wanted = listener.format.channelCount
    guard channelCount != 1, channelCount != wanted else {
      try graph.connect(node, to: listener.mixedMixer)
      return nil
    }
    let map = try graph.add(
      ChannelMapNode(from: channelCount, to: wanted), named: "channels of \(try graph.name(of: node))")
    try graph.connect(node, to: map)
    try graph.connect(map, to: listener.mixedMixer)
    return map
  }

  private func changeLocal(_ what: String, call: String = #function, _ change: (inout LocalUser) -> Void)
    throws(EngineError)
  {
    try edit(what, call: call) {
      guard localUser != nil else { throw EngineError(.notReady, "there is no local source; set one first") }
      change(&localUser!)
      try reconcileLocal()
    }
  }

  private func connectUplink() throws {
    let user = localUser!
    let uplink = try Uplink(
      after: user.sourceNode, channelCount: user.source.channelCount, sentChannelCount: user.sentChannelCount,
      place: FrameSource(position: .record, channelID: options.channelID), volume: user.volume, pitch: user.pitch,
      isVoiceOnly: user.isVoiceOnly, name: "local",
      graph: graph, hub: hub)
    localUser!.uplink = uplink
    applyRecordVolume()
    localUser!.mapNode = try connectToMixed(uplink.anchor, channelCount: user.sentChannelCount)
  }

  private func reconcileEar() throws {
    guard let volume = localUser?.earVolume, let uplink = localUser?.uplink else { return try disconnectEar() }
    if localUser!.ear == nil {
      let channels = uplink.channelCount
      let gain = GainNode(channelCount: channels, volume: volume)
      let limiter = LimiterNode(channelCount: channels, sampleRate: graph.sampleRate, isArmed: false)
      let first = try graph.add(gain, named: "ear gain")
      let last = try graph.add(limiter, named: "ear limiter")
      try graph.connect(uplink.anchor, to: first)
      try graph.connect(first, to: last)
      let place = FrameSource(position: .earMonitoring, channelID: options.channelID)
      let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: channels)
      let anchor = try hub.addPlace(place, named: "ear monitoring", format: format, after: last)
      let end = try graph.add(NullSinkNode(channelCount: channels), named: "end of ear monitoring")
      try graph.connect(anchor, to: end)
      localUser!.ear = .init(gain: gain, limiter: limiter, place: place, nodes: [first, last, end])
    }
    if volume.percent > 100 { localUser!.ear!.limiter.isArmed = true }
    localUser!.ear!.gain.set(volume)
  }

  private func disconnectEar() throws {
    guard let ear = localUser?.ear else { return }
    try hub.removePlace(ear.place)
    for node in ear.nodes { try graph.remove(node) }
    localUser!.ear = nil
  }
}
