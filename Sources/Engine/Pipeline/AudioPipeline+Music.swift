import AudioGraph
public import Effects

/// Where music is heard.
public enum MusicTarget: Hashable, Sendable {
  /// In what a speaker sends, and so by everyone.
  case published(speaker: UInt32)
  /// In what the local user sends.
  case publishedByLocalUser
  /// By the listener only.
  case loopback
}

extension AudioPipeline {
  /// Adds music: an audio source that is mixed into what a voice sends, or only into what the listener hears.
  public func addMusic(_ source: any AudioSource, volume: Volume = .unchanged, to target: MusicTarget)
    throws(EngineError)
  {
    try edit("the music cannot be added") {
      let mixer: NodeID
      let channelCount: Int
      switch target {
      case .published(let uid):
        let key = UserKey(channelID: options.channelID, uid: uid)
        guard let uplink = remoteUsers[key]?.uplink else {
          throw EngineError(.invalidArgument, "there is no speaker \(uid) to mix music into; add it first")
        }
        (mixer, channelCount) = (uplink.mixer, uplink.channelCount)
        remoteUsers[key]!.uplink!.musicCount += 1
      case .publishedByLocalUser:
        guard let uplink = localUser?.uplink else {
          throw EngineError(.notReady, "there is no local voice to mix music into; set a local source")
        }
        (mixer, channelCount) = (uplink.mixer, uplink.channelCount)
        localUser!.uplink!.musicCount += 1
      case .loopback:
        (mixer, channelCount) = (listener.mixedMixer, listener.format.channelCount)
        hasLoopbackMusic = true
      }
      let name = "music \(musicSources.count + 1)"
      let gain = GainNode(channelCount: source.channelCount, volume: volume)
      var tail = try graph.add(source.node, named: name)
      let gainID = try graph.add(gain, named: "\(name) gain")
      try graph.connect(tail, to: gainID)
      tail = gainID
      if source.channelCount != 1, source.channelCount != channelCount {
        let map = ChannelMapNode(from: source.channelCount, to: channelCount)
        let id = try graph.add(map, named: "\(name) channels")
        try graph.connect(tail, to: id)
        tail = id
      }
      try graph.connect(tail, to: mixer)
      musicSources.append(source)
    }
  }
}
