import AudioGraph
public import Effects
import FrameObservers

extension AudioPipeline {
  /// Gives the listener a voice of its own, which is in RECORD and MIXED but not in PLAYBACK.
  ///
  /// Throws: `.wrongState` when there is one already.
  public func setLocalSource(_ source: any AudioSource, volume: Volume = .unchanged) throws(EngineError) {
    try edit("the local source cannot be set") {
      guard localUser == nil else {
        throw EngineError(.wrongState, "there is a local source already; make another pipeline or mute this one")
      }
      localUser = LocalUser(source: source, sourceNode: try graph.add(source.node, named: "local source"))
      try connectLocal(volume: volume)
    }
  }

  /// Stops or resumes sending the local user. While muted no frame of it reaches RECORD, MIXED or its own ears.
  public func muteLocalAudioStream(_ isMuted: Bool) throws(EngineError) {
    try edit("the local stream cannot be muted") {
      guard let user = localUser else { throw EngineError(.notReady, "there is no local source; set one first") }
      if isMuted, let uplink = user.uplink {
        try disconnectEar()
        if let map = user.mapNode { try graph.remove(map) }
        try uplink.remove(from: graph, hub: hub)
        localUser!.uplink = nil
        localUser!.mapNode = nil
        let idle = try graph.add(NullSinkNode(channelCount: user.source.channelCount), named: "muted local source")
        try graph.connect(user.sourceNode, to: idle)
        localUser!.idleSink = idle
      } else if !isMuted, user.uplink == nil {
        if let idle = user.idleSink { try graph.remove(idle) }
        localUser!.idleSink = nil
        try connectLocal(volume: .unchanged)
      }
    }
  }

  /// Lets the local user hear its own voice, at a volume of 0 to 400, or no longer.
  public func enableInEarMonitoring(_ isEnabled: Bool, volume: Int = 100) throws(EngineError) {
    try edit("ear monitoring cannot be set") {
      guard let user = localUser, let uplink = user.uplink else {
        throw EngineError(.notReady, "there is no local voice to hear; set a local source and unmute it")
      }
      if let ear = user.ear {
        guard isEnabled else { return try disconnectEar() }
        return ear.gain.set(try Volume(Double(volume)))
      }
      guard isEnabled else { return }
      let gain = GainNode(channelCount: uplink.channelCount, volume: try Volume(Double(volume)))
      let limiter = LimiterNode(
        channelCount: uplink.channelCount, sampleRate: graph.sampleRate, isArmed: volume > 100)
      let first = try graph.add(gain, named: "ear gain")
      let last = try graph.add(limiter, named: "ear limiter")
      try graph.connect(uplink.anchor, to: first)
      try graph.connect(first, to: last)
      let place = FrameSource(position: .earMonitoring, channelID: options.channelID)
      let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: uplink.channelCount)
      let anchor = try hub.addPlace(place, named: "ear monitoring", format: format, after: last)
      let end = try graph.add(NullSinkNode(channelCount: uplink.channelCount), named: "end of ear monitoring")
      try graph.connect(anchor, to: end)
      localUser!.ear = .init(gain: gain, place: place, anchor: anchor, nodes: [first, last, end])
    }
  }

  private func connectLocal(volume: Volume) throws {
    let user = localUser!
    let channels = user.source.channelCount
    let place = FrameSource(position: .record, channelID: options.channelID)
    let uplink = try Uplink(
      after: user.sourceNode, sourceChannelCount: channels, channelCount: channels, place: place, volume: volume,
      name: "local", graph: graph, hub: hub)
    localUser!.uplink = uplink
    if channels == 1 || channels == listener.format.channelCount {
      try graph.connect(uplink.anchor, to: listener.mixedMixer)
    } else {
      let map = ChannelMapNode(from: channels, to: listener.format.channelCount)
      let id = try graph.add(map, named: "channels local")
      try graph.connect(uplink.anchor, to: id)
      try graph.connect(id, to: listener.mixedMixer)
      localUser!.mapNode = id
    }
  }

  private func disconnectEar() throws {
    guard let ear = localUser?.ear else { return }
    try hub.removePlace(ear.place)
    for node in ear.nodes { try graph.remove(node) }
    localUser!.ear = nil
  }
}
