import AudioGraph
import Effects

/// The local user's source: added, replaced and removed.
extension UsersState {
  func setLocalSource(
    _ source: any AudioSource, volume: Volume, pitch: VoicePitch?, sentChannelCount: Int?
  ) throws {
    if isLocalSilent, local?.sentChannelCount == 2 {
      return try replaceSilence(with: source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    }
    try checkHasNoLocalSource()
    try checkRate(of: source)
    try checkChannels(sentChannelCount, of: source)
    if pitch != nil { try checkPitch(of: source) }
    if isLocalSilent { try removeLocal() }
    local = LocalUser(
      source: source, sourceNode: try addLocalNode(of: source),
      sentChannelCount: sentChannelCount ?? source.channelCount, volume: volume, pitch: pitch)
    try reconcileLocal()
  }

  /// Puts another source in the place of the present one. Settings, music and effects stay.
  func replaceLocalSource(with source: any AudioSource) throws {
    let user = try localUser()
    try checkRate(of: source)
    if user.pitch != nil { try checkPitch(of: source) }
    let sent = try sentChannelCount(of: user, from: source)
    let node = try addLocalNode(of: source)
    if source.channelCount == user.source.channelCount {
      try core.graph.remove(user.sourceNode)
      if let target = user.uplink?.voice ?? user.idleSink { try core.graph.connect(node, to: target) }
    } else {
      try disconnectLocal()
      try core.graph.remove(user.sourceNode)
      for part in user.unsent { try core.graph.remove(part) }
      local!.unsent = []
      local!.sentChannelCount = sent
    }
    local!.source = source
    local!.sourceNode = node
    try reconcileLocal()
  }

  /// Removes the local user. Music and effects that go with its voice must have been removed.
  func removeLocal() throws {
    let user = try localUser()
    try disconnectLocal()
    for node in [user.sourceNode] + user.unsent { try core.graph.remove(node) }
    local = nil
  }

  /// Returns the channels that are sent from another source: a stereo path stays stereo for a mono voice, since sounds
  /// that go with it may be stereo.
  private func sentChannelCount(of user: LocalUser, from source: any AudioSource) throws(EngineError) -> Int {
    if source.channelCount == user.source.channelCount { return user.sentChannelCount }
    let channelCount = max(user.sentChannelCount, source.channelCount)
    if channelCount <= 2 { return channelCount }
    throw EngineError(
      .invalidArgument,
      "a source of \(source.channelCount) channels cannot replace one of \(user.source.channelCount); remove the "
        + "local source and set another")
  }

  private func addLocalNode(of source: any AudioSource) throws -> NodeID {
    localSourceCount += 1
    return try core.graph.add(
      source.node, named: localSourceCount == 1 ? "local source" : "local source \(localSourceCount)")
  }
}
