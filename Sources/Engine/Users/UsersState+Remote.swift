import AudioGraph
import Effects
import FrameObservers
import OpusCodec

/// Remote users: their arrival, their departure, and their levels.
extension UsersState {
  func add(_ uid: UInt32, from source: any AudioSource, options user: UserOptions, hasUplink: Bool) throws {
    let (graph, hub) = (core.graph, core.hub)
    let key = UserKey(channelID: user.channelID ?? core.options.channelID, uid: uid)
    try checkIsNew(key)
    try check(user, of: source, uid)
    var entry = RemoteUser(
      key: key, source: source, sourceNode: try graph.add(source.node, named: "source \(key.name)"), options: user,
      hasUplink: hasUplink)
    entry.isMuted = isEveryRemoteMuted
    var tail = entry.sourceNode
    if hasUplink {
      let place = FrameOrigin(position: .record, channelID: key.channelID, uid: uid)
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
    remote[key] = entry
    order.append(key)
    try reconcile(key)
  }

  /// Puts another source in the place of a user's, which has no uplink here. Its settings stay.
  func replaceSource(of key: UserKey, with source: any AudioSource) throws {
    let user = try user(key)
    try checkRate(of: source)
    try user.downlink?.remove(from: core.graph, hub: core.hub)
    try disconnectIdle(key)
    try core.graph.remove(user.sourceNode)
    remote[key]!.downlink = nil
    remote[key]!.source = source
    remote[key]!.sourceNode = try core.graph.add(
      source.node, named: "source \(key.name), \(source.channelCount) channels")
    try reconcile(key)
  }

  /// Removes a user that is there. Music that goes with its voice must have been removed.
  func remove(_ key: UserKey) throws {
    guard let user = remote[key] else { return }
    try user.downlink?.remove(from: core.graph, hub: core.hub)
    try disconnectIdle(key)
    try user.uplink?.remove(from: core.graph, hub: core.hub)
    for node in [user.codec?.id, user.sourceNode].compactMap({ $0 }) {
      try core.graph.remove(node)
    }
    remote[key] = nil
    order.removeAll { $0 == key }
  }

  func setMuted(_ key: UserKey, _ isMuted: Bool) throws {
    _ = try user(key)
    remote[key]!.isMuted = isMuted
    try reconcile(key)
  }

  func setAllMuted(_ isMuted: Bool) throws {
    isEveryRemoteMuted = isMuted
    for key in order { try setMuted(key, isMuted) }
  }

  /// Sets the level at which the listener hears one user, up to 100.
  func setVolume(_ key: UserKey, _ volume: Volume) throws {
    _ = try user(key)
    remote[key]!.userVolume = try Volume(volume.percent, in: Volume.attenuationRange)
    try applyLevels(key)
  }

  /// Sets the position at which the listener hears one user, and a gain up to 100.
  func setPosition(_ key: UserKey, panning: Panning, gain: Volume) throws {
    let user = try user(key)
    try checkPanning(panning, of: user.source, key.uid)
    if panning != .center { core.listener.playbackLimiter.isArmed = true }
    remote[key]!.positionGain = try Volume(gain.percent, in: Volume.attenuationRange)
    remote[key]!.options.panning = panning
    remote[key]!.downlink?.panning = panning
    try applyLevels(key)
  }

  /// Connects or disconnects a user: it is heard while it is not muted and audio is enabled.
  func reconcile(_ key: UserKey) throws {
    guard let user = remote[key] else { return }
    let (graph, hub) = (core.graph, core.hub)
    let isHeard = isAudioEnabled && !user.isMuted
    if isHeard, user.downlink == nil {
      try disconnectIdle(key)
      try connectDownlink(key)
    } else if !isHeard, user.idleSink == nil || user.hasIdleTap != isAudioEnabled {
      try disconnectIdle(key)
      try user.downlink?.remove(from: graph, hub: hub)
      remote[key]!.downlink = nil
      try connectIdle(key)
    }
  }

  /// Lets the frames of a user that is not heard end in a sink; those of a muted one can be observed before it.
  private func connectIdle(_ key: UserKey) throws {
    let user = remote[key]!
    let graph = core.graph
    var tail = tail(of: user)
    if isAudioEnabled {
      tail = try core.hub.addTapPoint(
        origin(of: key), named: "muted \(user.name)",
        format: AudioFormat(sampleRate: graph.sampleRate, channelCount: user.channelCount), after: tail, isMuted: true)
    }
    let idle = try graph.add(NullSinkNode(channelCount: user.channelCount), named: "unheard \(user.name)")
    try graph.connect(tail, to: idle)
    remote[key]!.idleSink = idle
    remote[key]!.hasIdleTap = isAudioEnabled
  }

  private func disconnectIdle(_ key: UserKey) throws {
    let user = remote[key]!
    if user.hasIdleTap { try core.hub.removePlace(origin(of: key)) }
    if let idle = user.idleSink { try core.graph.remove(idle) }
    remote[key]!.idleSink = nil
    remote[key]!.hasIdleTap = false
  }

  /// Returns the origin of a user's frames before mixing.
  func origin(of key: UserKey) -> FrameOrigin {
    FrameOrigin(position: .beforeMixing, channelID: key.channelID, uid: key.uid)
  }

  private func connectDownlink(_ key: UserKey) throws {
    let user = remote[key]!
    remote[key]!.downlink = try Downlink(
      after: tail(of: user), channelCount: user.channelCount,
      place: origin(of: key), options: user.options,
      name: user.name, playbackMixer: core.listener.playbackMixer,
      playbackChannelCount: core.listener.format.channelCount, graph: core.graph, hub: core.hub)
    try applyLevels(key)
  }

  private func applyLevels(_ key: UserKey) throws {
    guard let user = remote[key] else { return }
    try user.downlink?.apply(userVolume: user.userVolume, positionGain: user.positionGain)
  }

  private func tail(of user: RemoteUser) -> NodeID {
    user.codec?.id ?? user.uplink?.anchor ?? user.sourceNode
  }
}
