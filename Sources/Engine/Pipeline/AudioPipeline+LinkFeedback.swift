import AudioGraph
public import MediaStreams

extension AudioPipeline {
  /// Takes in what the far end of the network tells: the relay, or a user to whom packets go straight. Thread: any but
  /// the audio thread.
  ///
  /// What is told holds for 15 s, until it is told anew, or until the user leaves.
  ///
  /// - Parameters:
  ///   - feedback: nil: nothing is known any more.
  ///   - uid: the user; nil: the relay.
  public func setLinkFeedback(_ feedback: LinkFeedback?, from uid: UInt32? = nil, channelID: String? = nil) {
    lock.withLock { _ in
      let source = uid.map { LinkFeedbackSource.user(uid: $0, channelID: channelID ?? options.channelID) }
      streams.linkFeedback.set(feedback, from: source ?? .relay, tick: core.tickCount)
    }
  }
}
