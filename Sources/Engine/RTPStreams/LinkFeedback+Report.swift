public import Transport

extension LinkFeedback {
  /// What a session's reports say of the packets that one sends.
  public init(_ report: FeedbackReport) {
    self.init(
      sentLoss: report.remoteFractionLost,
      sentJitterMilliseconds: report.remoteFractionLost == nil ? nil : Double(report.remoteJitterNanoseconds) / 1e6,
      roundTripMilliseconds: report.roundTripNanoseconds.map { Double($0) / 1e6 })
  }
}
