import MediaStreams
import RTP

/// What one far end has told in an interval of the statistics, and last.
struct LinkFeedbackHistory {
  /// When it told last.
  private(set) var tick: Int
  private var newest: LinkFeedback
  /// What had been told when the interval began.
  private var told = LinkFeedback.RetransmissionCache()
  /// Losses without counts that were told in the interval.
  private var losses: [Double] = []

  init(_ feedback: LinkFeedback, tick: Int) {
    (newest, self.tick) = (feedback, tick)
    losses = feedback.sentLoss.map { [$0] } ?? []
  }

  mutating func add(_ feedback: LinkFeedback, tick: Int) {
    // Fewer are those of a call that has begun since.
    if let packets = feedback.retransmissionCache, packets.due < (newest.retransmissionCache ?? told).due {
      told = .init()
    }
    (newest, self.tick) = (feedback, tick)
    if let loss = feedback.sentLoss { losses.append(loss) }
  }

  mutating func beginInterval() {
    if let packets = newest.retransmissionCache { told = packets }
    losses = []
  }

  /// What was told last, but the loss of all that was told in the interval; where nothing was, that holds, too.
  var ofInterval: LinkFeedback {
    var feedback = newest
    if let loss = feedback.retransmissionCache?.loss(since: told) {
      feedback.sentLoss = loss
    } else if !losses.isEmpty {
      feedback.sentLoss = losses.reduce(0, +) / Double(losses.count)
    }
    return feedback
  }
}
