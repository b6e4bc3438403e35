import MediaStreams

extension NetworkQuality {
  /// The quality of a path by its far end's feedback: down where that has fallen silent, unknown where it says nothing
  /// of our packets.
  init(of feedback: LinkFeedback, bitrateShare: Double? = nil) {
    if feedback.isInterrupted {
      self = .down
    } else if let loss = feedback.sentLoss {
      self.init(
        loss: loss, roundTripMilliseconds: feedback.roundTripMilliseconds,
        jitterMilliseconds: feedback.sentJitterMilliseconds, bitrateShare: bitrateShare)
    } else {
      self = .unknown
    }
  }
}
