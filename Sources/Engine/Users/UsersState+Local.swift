import AudioGraph
import Effects
import FrameObservers

/// The local user: its voice, and the sound that it hears of itself.
extension UsersState {
  func changeLocal(_ change: (inout LocalUser) -> Void) throws {
    var user = try localUser()
    change(&user)
    local = user
    try reconcileLocal()
  }

  func setLocalPitch(_ wanted: VoicePitch) throws {
    let user = try localUser()
    if user.pitch == nil, wanted.ratio == .unchanged { return }
    try checkPitch(of: user.source)
    local!.pitch = wanted
    // Armed before the pitch moves: the first sound heard may already be loud.
    if wanted.ratio != .unchanged { user.uplink?.limiter.isArmed = true }
    try local!.uplink?.setPitch(wanted, graph: core.graph)
  }

  /// Switches the voice-only mode of a user.
  ///
  /// - Parameters:
  ///   - isOn: Whether the mode is on.
  ///   - uid: The speaker; nil: the local user.
  func setVoiceOnly(_ isOn: Bool, speaker uid: UInt32?) throws {
    if let uid {
      let user = try speaker(uid)
      if isOn { user.uplink?.limiter.isArmed = true }
      return try remote[key(uid)]!.uplink!.setVoiceOnly(isOn, graph: core.graph)
    }
    let user = try localUser()
    local!.isVoiceOnly = isOn
    if isOn { user.uplink?.limiter.isArmed = true }
    try local!.uplink?.setVoiceOnly(isOn, graph: core.graph)
  }

  /// Sets the level at which a voice is sent, 0 to 400.
  ///
  /// - Parameters:
  ///   - volume: The level.
  ///   - uid: The speaker; nil: the local user.
  func setRecordVolume(_ volume: Volume, speaker uid: UInt32?) throws {
    let uplink: Uplink?
    if let uid {
      uplink = try speaker(uid).uplink
    } else {
      uplink = try localUser().uplink
      local!.volume = volume
    }
    // Armed before the level rises.
    if volume.percent > 100 { uplink?.limiter.isArmed = true }
    if uid == nil { return applyRecordVolume() }
    uplink?.recordGain.set(volume)
  }

  /// Silences the local voice while music takes its place.
  func setVoiceReplaced(_ isReplaced: Bool) {
    isVoiceReplaced = isReplaced
    applyRecordVolume()
  }

  /// Connects or disconnects the voice: it is sent while it is captured, not muted, and audio is enabled.
  func reconcileLocal() throws {
    guard let user = local else { return }
    let graph = core.graph
    let isSent = isAudioEnabled && user.isCaptured && !user.isMuted && !owners.haveMuted
    if isSent, user.uplink == nil {
      if let idle = user.idleSink { try graph.remove(idle) }
      local!.idleSink = nil
      try connectUplink()
    } else if !isSent, user.uplink != nil {
      try disconnectLocal()
    }
    if !isSent, local!.idleSink == nil {
      let idle = try graph.add(NullSinkNode(channelCount: user.source.channelCount), named: "unheard local source")
      try graph.connect(user.sourceNode, to: idle)
      local!.idleSink = idle
    }
    try reconcileEar()
  }

  /// Removes all nodes behind the source.
  func disconnectLocal() throws {
    guard let user = local else { return }
    try disconnectEar()
    if let map = user.mapNode { try core.graph.remove(map) }
    try user.uplink?.remove(from: core.graph, hub: core.hub)
    if let idle = user.idleSink { try core.graph.remove(idle) }
    local!.uplink = nil
    local!.mapNode = nil
    local!.idleSink = nil
  }

  /// Plays music that goes with the local voice to the listener while that voice is not sent.
  func reconcileUnsent(hasMusic: Bool) throws {
    guard let user = local else { return }
    let graph = core.graph
    let isWanted = user.uplink == nil && isAudioEnabled && hasMusic
    guard isWanted == user.unsent.isEmpty else { return }
    for node in user.unsent { try graph.remove(node) }
    local!.unsent = []
    guard isWanted else { return }
    let channels = user.sentChannelCount
    let mixer = try graph.add(MixerNode(channelCount: channels), named: "unsent music")
    local!.unsent = [mixer] + (try connectToMixed(mixer, channelCount: channels).map { [$0] } ?? [])
  }

  /// Lets the listener hear a node's output.
  ///
  /// - Returns: The node between, if one is needed.
  private func connectToMixed(_ node: NodeID, channelCount: Int) throws -> NodeID? {
    let (graph, listener) = (core.graph, core.listener)
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

  /// Brings the level of the local voice to the audio thread.
  private func applyRecordVolume() {
    guard let user = local else { return }
    user.uplink?.recordGain.set(isVoiceReplaced ? .silence : user.volume)
  }

  private func connectUplink() throws {
    let user = local!
    let uplink = try Uplink(
      after: user.sourceNode, channelCount: user.source.channelCount, sentChannelCount: user.sentChannelCount,
      place: FrameOrigin(position: .record, channelID: core.options.channelID), volume: user.volume, pitch: user.pitch,
      isVoiceOnly: user.isVoiceOnly, name: "local",
      graph: core.graph, hub: core.hub)
    local!.uplink = uplink
    applyRecordVolume()
    local!.mapNode = try connectToMixed(uplink.anchor, channelCount: user.sentChannelCount)
  }

  private func reconcileEar() throws {
    guard let volume = local?.earVolume, let uplink = local?.uplink else { return try disconnectEar() }
    let graph = core.graph
    if local!.ear == nil {
      let channels = uplink.channelCount
      let gain = GainNode(channelCount: channels, volume: volume)
      let limiter = LimiterNode(channelCount: channels, sampleRate: graph.sampleRate, isArmed: false)
      let first = try graph.add(gain, named: "ear gain")
      let last = try graph.add(limiter, named: "ear limiter")
      try graph.connect(uplink.anchor, to: first)
      try graph.connect(first, to: last)
      let place = FrameOrigin(position: .earMonitoring, channelID: core.options.channelID)
      let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: channels)
      let anchor = try core.hub.addTapPoint(place, named: "ear monitoring", format: format, after: last)
      let end = try graph.add(NullSinkNode(channelCount: channels), named: "end of ear monitoring")
      try graph.connect(anchor, to: end)
      local!.ear = .init(gain: gain, limiter: limiter, place: place, anchor: anchor, nodes: [first, last, end])
    }
    if volume.percent > 100 { local!.ear!.limiter.isArmed = true }
    local!.ear!.gain.set(volume)
  }

  private func disconnectEar() throws {
    guard let ear = local?.ear else { return }
    try core.hub.removePlace(ear.place)
    for node in ear.nodes { try core.graph.remove(node) }
    local!.ear = nil
  }
}
