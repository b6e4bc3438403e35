public import AudioGraph
public import MediaStreams

extension AudioPipeline {
  /// Makes packets of what is at RECORD: of the local user, or of a speaker whose uplink runs here.
  ///
  /// While the voice is muted or not captured, no packets are made; the first one behind a pause carries the marker.
  ///
  /// Throws: `.invalidArgument` where there is no such speaker, the sender is in use here, or the pipeline is not at 48
  /// kHz.
  public func startSending(through sender: PacketSender, speaker uid: UInt32? = nil) throws(EngineError) {
    try edit("the voice cannot be sent") { try streams.startSending(through: sender, speaker: uid) }
  }

  /// Ends what `startSending` began; packets that wait can still be taken.
  public func stopSending(through sender: PacketSender) throws(EngineError) {
    try edit("the sender cannot be stopped") { try streams.stopSending(through: sender) }
  }

  /// Delay from the local source to where it is sent, in samples; 0 while nothing is. Once compiled.
  package var sendDelay: Int {
    lock.withLock { _ in userStates.local?.uplink.flatMap { core.runner.plan?.latency(of: $0.anchor) } ?? 0 }
  }
}
