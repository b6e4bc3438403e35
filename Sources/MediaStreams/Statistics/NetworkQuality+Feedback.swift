extension NetworkQuality {
  /// Creates the quality of a path from its far end's feedback: down if the far end has fallen silent, unknown if it
  /// reports nothing about our packets.
  package init(of feedback: LinkFeedback, bitrateShare: Double? = nil) {
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
