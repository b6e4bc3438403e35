import AudioGraph
import Effects
import MediaStreams
import PushPull

/// Connections of senders to the sound of their users.
extension StreamsState {
  /// Connects a sender to its user's sound, or to a part of it.
  func connect(_ sending: inout Sending, in graph: Graph) throws {
    let uplink = sending.speaker.map { users.remote[$0]?.uplink } ?? users.local?.uplink
    let sources = sending.speaker == nil ? partialSources(sending.parts) : nil
    guard let uplink, let sources else {
      try sending.tap.connect(uplink?.anchor, channelCount: uplink?.channelCount ?? 1, in: graph)
      try sending.partial?.remove(from: graph)
      sending.partial = nil
      return sending.sender.setSending(uplink != nil)
    }
    if sending.partial?.channelCount != uplink.channelCount {
      try sending.tap.connect(nil, channelCount: 1, in: graph)
      try sending.partial?.remove(from: graph)
      sending.partial = try LimitedMix(
        channelCount: uplink.channelCount, named: "SSRC \(sending.sender.options.ssrc)", in: graph)
    }
    try sending.partial?.connect(sources, in: graph)
    try sending.tap.connect(sending.partial?.anchor, channelCount: uplink.channelCount, in: graph)
    sending.sender.setSending(!sources.isEmpty)
  }

  /// Changes the parts of the local user's sound that a sender takes.
  func setParts(_ parts: SentParts, of sender: PacketSender) {
    guard let index = sendings.firstIndex(where: { $0.sender === sender }) else { return }
    sendings[index].parts = parts
  }

  /// Returns the nodes of a part of the local user's sound; nil for all of it.
  private func partialSources(_ parts: SentParts) -> [NodeID]? {
    guard parts != .all, let local = users.local, let uplink = local.uplink else { return nil }
    let hasVoice = !users.isLocalSilent && parts.contains(local.source is PushSource ? .pushed : .microphone)
    let hasMusic = parts.contains(.music)
    if hasMusic, hasVoice || users.isLocalSilent { return nil }
    return (hasVoice ? [uplink.voiceEnd] : []) + (hasMusic ? sounds.ends(of: .publishedByLocalUser) : [])
  }
}
