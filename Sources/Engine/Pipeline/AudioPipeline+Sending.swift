public import AudioGraph
public import MediaStreams

extension AudioPipeline {
  /// Creates packets from the sound at RECORD: of the local user, or of a speaker with an uplink here.
  ///
  /// While the voice is muted or not captured, no packets are created; the first packet after a pause carries the
  /// marker.
  ///
  /// - Throws: `.invalidArgument` if there is no such speaker, the pipeline is not at 48 kHz, or the sender is in use
  ///   here.
  public func startSending(through sender: PacketSender, speaker uid: UInt32? = nil) throws(EngineError) {
    try edit("the voice cannot be sent") { try streams.startSending(through: sender, speaker: uid) }
  }

  /// Ends the sending that `startSending` began; packets that wait can still be taken.
  public func stopSending(through sender: PacketSender) throws(EngineError) {
    try edit("the sender cannot be stopped") { try streams.stopSending(through: sender) }
  }

  /// Creates packets from parts of the local user's sound.
  package func startSending(through sender: PacketSender, parts: SentParts) throws(EngineError) {
    try edit("the voice cannot be sent") { try streams.startSending(through: sender, speaker: nil, parts: parts) }
  }

  /// Changes the parts of the local user's sound that a sender takes; all of them at first.
  package func setSentParts(_ parts: SentParts, of sender: PacketSender) throws(EngineError) {
    try edit("the sender cannot be changed") { streams.setParts(parts, of: sender) }
  }

  /// Delay from the local source to the point of sending, in samples; 0 while nothing is sent. Once compiled.
  package var sendDelay: Int {
    lock.withLock { _ in userStates.local?.uplink.flatMap { core.runner.plan?.latency(of: $0.anchor) } ?? 0 }
  }
}
