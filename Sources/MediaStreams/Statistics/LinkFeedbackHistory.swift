import RTP

/// Feedback from one far end: the newest, and that of an interval of the statistics.
struct LinkFeedbackHistory {
  /// Tick of the newest feedback.
  private(set) var tick: Int
  private var newest: LinkFeedback
  /// Counts that had been reported when the interval began.
  private var told = LinkFeedback.SentPackets()
  /// Losses without counts that were reported in the interval.
  private var losses: [Double] = []

  init(_ feedback: LinkFeedback, tick: Int) {
    (newest, self.tick) = (feedback, tick)
    losses = feedback.sentLoss.map { [$0] } ?? []
  }

  mutating func add(_ feedback: LinkFeedback, tick: Int) {
    // Lower counts are those of a call that has begun since.
    if let packets = feedback.sentPackets, packets.due < (newest.sentPackets ?? told).due {
      told = .init()
    }
    (newest, self.tick) = (feedback, tick)
    if let loss = feedback.sentLoss { losses.append(loss) }
  }

  mutating func beginInterval() {
    if let packets = newest.sentPackets { told = packets }
    losses = []
  }

  /// The newest feedback, with the loss of all feedback in the interval. Without feedback in the interval, the newest
  /// loss is valid, too.
  var ofInterval: LinkFeedback {
    var feedback = newest
    if let loss = feedback.sentPackets?.loss(since: told) {
      feedback.sentLoss = loss
    } else if !losses.isEmpty {
      feedback.sentLoss = losses.reduce(0, +) / Double(losses.count)
    }
    return feedback
  }
}
