public import Transport

extension LinkFeedback {
  /// What a session's reports say of the packets that one sends.
  public init(_ report: FeedbackReport) {
    guard !report.delivery.isInterrupted else {
      self.init(isInterrupted: true)
      return
    }
    self.init(
      sentLoss: report.delivery.loss,
      sentJitterMilliseconds: report.delivery.loss == nil ? nil : Double(report.remoteJitterNanoseconds) / 1e6,
      roundTripMilliseconds: report.roundTripNanoseconds.map { Double($0) / 1e6 })
  }
}
