import AudioGraph
public import MediaStreams

extension AudioPipeline {
  /// Accepts feedback from the far end of the network: the relay, or a user that receives packets directly. Thread: any
  /// but the audio thread.
  ///
  /// Feedback is valid for 15 s, until newer feedback comes, or until the user leaves.
  ///
  /// - Parameters:
  ///   - feedback: The feedback; nil: nothing is known any more.
  ///   - uid: The user; nil: the relay.
  ///   - channelID: Channel of the user; nil: the pipeline's own.
  public func setLinkFeedback(_ feedback: LinkFeedback?, from uid: UInt32? = nil, channelID: String? = nil) {
    lock.withLock { _ in
      let source = uid.map { LinkFeedbackSource.user(uid: $0, channelID: channelID ?? options.channelID) }
      streams.linkFeedback.set(feedback, from: source ?? .relay, tick: core.tickCount)
    }
  }
}
