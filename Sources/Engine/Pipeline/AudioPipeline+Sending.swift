public import AudioGraph
public import MediaStreams
import OpusCodec

extension AudioPipeline {
  /// What is sent through one sender.
  struct Sending {
    let sender: PacketSender
    /// Nil: the local user.
    let speaker: UserKey?
    var tap: PathTap
    /// What it had counted at the last report, or when it was added.
    var reported: SenderTotals
  }

  /// Makes packets of what is at RECORD: of the local user, or of a speaker whose uplink runs here.
  ///
  /// While the voice is muted or not captured, no packets are made; the first one behind a pause carries the marker.
  ///
  /// Throws: `.invalidArgument` where there is no such speaker, the sender is in use here, or the pipeline is not at 48
  /// kHz.
  public func startSending(through sender: PacketSender, speaker uid: UInt32? = nil) throws(EngineError) {
    try edit("the voice cannot be sent") {
      guard options.sampleRate == OpusOptions.sampleRate else {
        throw EngineError(
          .invalidArgument, "packets need a pipeline of \(OpusOptions.sampleRate) Hz, not of \(options.sampleRate)")
      }
      guard !sendings.contains(where: { $0.sender === sender }) else {
        throw EngineError(.invalidArgument, "this sender is in use already; stop it first or make another")
      }
      let key = uid.map(speakerKey)
      if let uid, let key, remoteUsers[key]?.hasUplink != true {
        throw EngineError(.invalidArgument, "there is no speaker \(uid) here; add it first")
      }
      let tap = try PathTap(
        sender.node, named: "packets of \(uid.map { "\($0)" } ?? "the local user"), SSRC \(sender.options.ssrc)",
        channelCount: sender.options.channelCount, in: graph)
      sendings.append(
        Sending(sender: sender, speaker: key, tap: tap, reported: sender.totals(atTick: streamReports.tick)))
    }
  }

  /// Ends what `startSending` began; packets that wait can still be taken.
  public func stopSending(through sender: PacketSender) throws(EngineError) {
    try edit("the sender cannot be stopped") {
      guard let index = sendings.firstIndex(where: { $0.sender === sender }) else {
        throw EngineError(.invalidArgument, "this sender is not in use here")
      }
      let sending = sendings.remove(at: index)
      try sending.tap.remove(from: graph)
      sender.setSending(false)
      streamReports.sentBytes += sender.payloadByteCount - sending.reported.payloadBytes
    }
  }

  /// Delay from the local source to where it is sent, in samples; 0 while nothing is. Once compiled.
  package var sendDelay: Int {
    lock.withLock { _ in localUser?.uplink.flatMap { runner.plan?.latency(of: $0.anchor) } ?? 0 }
  }

  /// Brings the senders to the voices that there are. Within an edit.
  func reconcileSendings() throws {
    for index in sendings.indices {
      let uplink = sendings[index].speaker.map { remoteUsers[$0]?.uplink } ?? localUser?.uplink
      try sendings[index].tap.connect(uplink?.anchor, channelCount: uplink?.channelCount ?? 1, in: graph)
      sendings[index].sender.setSending(uplink != nil)
    }
  }
}
