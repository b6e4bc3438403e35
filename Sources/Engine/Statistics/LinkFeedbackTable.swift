/// The newest feedback of each far end; what is older than 15 s is forgotten.
///
/// Thread: control, under the pipeline's lock.
struct LinkFeedbackTable {
  private struct Entry {
    let source: LinkFeedbackSource
    let feedback: LinkFeedback
    let tick: Int
  }

  /// In an order of their own, so that sums do not depend on that of a dictionary.
  private var entries: [Entry] = []

  /// Three times the usual interval of reports.
  private static let lifetimeTicks = 1_500

  /// - Parameter feedback: nil: nothing is known any more.
  mutating func set(_ feedback: LinkFeedback?, from source: LinkFeedbackSource, tick: Int) {
    let entry = feedback.map { Entry(source: source, feedback: $0, tick: tick) }
    if let index = entries.firstIndex(where: { $0.source == source }) {
      entries.replaceSubrange(index...index, with: entry.map { [$0] } ?? [])
    } else if let entry {
      entries.append(entry)
    }
  }

  /// What one end has told.
  func feedback(from source: LinkFeedbackSource, atTick tick: Int) -> LinkFeedback {
    guard let entry = entries.first(where: { $0.source == source }), tick - entry.tick < Self.lifetimeTicks else {
      return LinkFeedback()
    }
    return entry.feedback
  }

  /// What is known of the local user's own way: what the relay says, else the mean of what the users say.
  func ownWay(atTick tick: Int) -> LinkFeedback {
    let relay = feedback(from: .relay, atTick: tick)
    if relay != LinkFeedback() { return relay }
    return LinkFeedback(meanOf: entries.map { feedback(from: $0.source, atTick: tick) })
  }
}
