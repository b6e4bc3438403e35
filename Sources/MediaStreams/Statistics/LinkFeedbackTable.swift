/// Feedback from each far end; feedback older than 15 s is forgotten.
///
/// Thread: control, under the pipeline's lock.
package struct LinkFeedbackTable {
  /// Entries in their own order, so that sums do not depend on the order of a dictionary.
  private var entries: [(source: LinkFeedbackSource, history: LinkFeedbackHistory)] = []

  /// Lifetime of feedback in ticks: three times the usual interval of reports.
  private static let lifetimeTicks = 1_500

  package init() {}

  /// Sets the feedback from a source.
  ///
  /// - Parameters:
  ///   - feedback: The feedback; nil: nothing is known any more.
  ///   - source: The far end.
  ///   - tick: The present tick.
  package mutating func set(_ feedback: LinkFeedback?, from source: LinkFeedbackSource, tick: Int) {
    let index = entries.firstIndex { $0.source == source }
    switch (index, feedback) {
    case (let index?, let feedback?): entries[index].history.add(feedback, tick: tick)
    case (let index?, nil): entries.remove(at: index)
    case (nil, let feedback?): entries.append((source, LinkFeedbackHistory(feedback, tick: tick)))
    case (nil, nil): break
    }
  }

  /// Begins an interval of the statistics.
  package mutating func beginInterval() {
    for index in entries.indices { entries[index].history.beginInterval() }
  }

  /// Returns the feedback from one far end, with the loss of this interval.
  package func feedback(from source: LinkFeedbackSource, atTick tick: Int) -> LinkFeedback {
    guard let history = entries.first(where: { $0.source == source })?.history,
      tick - history.tick < Self.lifetimeTicks
    else { return LinkFeedback() }
    return history.ofInterval
  }

  /// Returns the feedback about the local user's own path: the relay's, else the mean of the users' feedback.
  package func ownWay(atTick tick: Int) -> LinkFeedback {
    let relay = feedback(from: .relay, atTick: tick)
    if relay != LinkFeedback() { return relay }
    return LinkFeedback(meanOf: entries.map { feedback(from: $0.source, atTick: tick) })
  }
}
