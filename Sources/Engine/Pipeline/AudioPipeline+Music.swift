public import AudioGraph
public import Effects

extension AudioPipeline {
  /// Adds music: an audio source that is mixed into what a voice sends, or only into what the listener hears.
  ///
  /// Music that goes with a voice plays on while that voice is muted: with the local one it is heard here alone, with
  /// another by nobody.
  /// Throws: `.invalidArgument` when there is no such voice.
  public func addMusic(_ source: any AudioSource, volume: Volume = .unchanged, to target: MusicTarget)
    throws(EngineError)
  {
    try edit("the music cannot be added") {
      try checkRate(of: source)
      let channelCount = try channelCount(of: target)
      musicCount += 1
      let name = "music \(musicCount)"
      var nodes = [try graph.add(source.node, named: name)]
      func append(_ node: any AudioNode, _ suffix: String) throws {
        let id = try graph.add(node, named: "\(name) \(suffix)")
        try graph.connect(nodes.last!, to: id)
        nodes.append(id)
      }
      try append(GainNode(channelCount: source.channelCount, volume: volume), "gain")
      if source.channelCount != 1, source.channelCount != channelCount {
        try append(ChannelMapNode(from: source.channelCount, to: channelCount), "channels")
      }
      music.append(MusicTrack(source: source, target: target, nodes: nodes))
      try connectMusic()
    }
  }

  /// Channels of what a target's mixer gives. Throws: when there is no such target.
  func channelCount(of target: MusicTarget) throws(EngineError) -> Int {
    switch target {
    case .published(let uid):
      guard let user = remoteUsers[speakerKey(uid)], user.hasUplink else {
        throw EngineError(.invalidArgument, "there is no speaker \(uid) to mix music into; add it first")
      }
      return user.channelCount
    case .publishedByLocalUser:
      guard let user = localUser else {
        throw EngineError(.notReady, "there is no local voice to mix music into; set a local source")
      }
      return user.sentChannelCount
    case .loopback: return listener.format.channelCount
    }
  }

  /// Lets every track flow to the mixer of its target, or to nobody while there is none.
  func connectMusic() throws {
    try reconcileUnsent()
    for (index, track) in music.enumerated() {
      let tail = track.nodes.last!
      let mixer = mixer(of: track.target)
      // A mixer that has left the graph has taken the connection along.
      if mixer == track.mixer, mixer != nil || track.idleSink != nil { continue }
      if let idle = track.idleSink { try graph.remove(idle) }
      music[index].idleSink = nil
      music[index].mixer = mixer
      if let mixer {
        try graph.connect(tail, to: mixer)
      } else {
        let idle = NullSinkNode(channelCounts: 1...AudioFormat.channelCounts.upperBound)
        let id = try graph.add(idle, named: "unheard \(try graph.name(of: track.nodes[0]))")
        try graph.connect(tail, to: id)
        music[index].idleSink = id
      }
    }
  }

  /// Takes out the music that went with a voice which has left.
  func removeMusic(of target: MusicTarget) throws {
    interruptMixing(with: target)
    for track in music where track.target == target {
      for node in track.nodes + [track.idleSink].compactMap({ $0 }) { try graph.remove(node) }
    }
    music.removeAll { $0.target == target }
    endedSounds.removeAll { $0.track.target == target }
  }

  func hasMusic(_ target: MusicTarget) -> Bool { music.contains { $0.target == target } }

  func speakerKey(_ uid: UInt32) -> UserKey { UserKey(channelID: options.channelID, uid: uid) }

  private func mixer(of target: MusicTarget) -> NodeID? {
    switch target {
    case .published(let uid): remoteUsers[speakerKey(uid)]?.uplink?.mixer
    case .publishedByLocalUser: localUser?.uplink?.mixer ?? localUser?.unsent.first
    case .loopback: listener.mixedMixer
    }
  }
}
