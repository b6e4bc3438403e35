import MediaStreams

/// What each far end has told; what is older than 15 s is forgotten.
///
/// Thread: control, under the pipeline's lock.
struct LinkFeedbackTable {
  /// In an order of their own, so that sums do not depend on that of a dictionary.
  private var entries: [(source: LinkFeedbackSource, history: LinkFeedbackHistory)] = []

  /// Three times the usual interval of reports.
  private static let lifetimeTicks = 1_500

  /// - Parameter feedback: nil: nothing is known any more.
  mutating func set(_ feedback: LinkFeedback?, from source: LinkFeedbackSource, tick: Int) {
    let index = entries.firstIndex { $0.source == source }
    switch (index, feedback) {
    case (let index?, let feedback?): entries[index].history.add(feedback, tick: tick)
    case (let index?, nil): entries.remove(at: index)
    case (nil, let feedback?): entries.append((source, LinkFeedbackHistory(feedback, tick: tick)))
    case (nil, nil): break
    }
  }

  /// Begins an interval of the statistics.
  mutating func beginInterval() {
    for index in entries.indices { entries[index].history.beginInterval() }
  }

  /// What one end has told, with the loss of this interval.
  func feedback(from source: LinkFeedbackSource, atTick tick: Int) -> LinkFeedback {
    guard let history = entries.first(where: { $0.source == source })?.history,
      tick - history.tick < Self.lifetimeTicks
    else { return LinkFeedback() }
    return history.ofInterval
  }

  /// What is known of the local user's own way: what the relay says, else the mean of what the users say.
  func ownWay(atTick tick: Int) -> LinkFeedback {
    let relay = feedback(from: .relay, atTick: tick)
    if relay != LinkFeedback() { return relay }
    return LinkFeedback(meanOf: entries.map { feedback(from: $0.source, atTick: tick) })
  }
}
