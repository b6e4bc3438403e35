public import RTP

extension LinkFeedback {
  /// Creates feedback from a session's reports about the packets that it sends.
  public init(_ report: RTCPSessionReport) {
    let delivery = report.delivery
    self.init(isInterrupted: delivery.isInterrupted)
    if delivery.dueCount > 0 {
      sentPackets = SentPackets(due: delivery.dueCount, lost: delivery.lostCount)
    }
    guard !isInterrupted else { return }
    sentLoss = delivery.loss
    if sentLoss != nil { sentJitterMilliseconds = Double(report.remoteJitterNanoseconds) / 1e6 }
    roundTripMilliseconds = report.roundTripNanoseconds.map { Double($0) / 1e6 }
  }
}
