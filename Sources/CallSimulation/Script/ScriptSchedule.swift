/// Which events of a script are still to come for whom.
///
/// An event concerns the user whose pipeline it changes, all users where somebody comes or goes, or the network. Each
/// of them is reached at the first of his own ticks that is not before the event, in the order of the script.
struct ScriptSchedule {
  /// What is to be done now.
  struct Due {
    let index: Int
    let event: ScriptEvent
    /// The participant to do it for, by index; nil for the network.
    let participant: Int?
  }

  private struct Entry {
    let index: Int
    let event: ScriptEvent
    var participants: Set<Int>
  }

  private var entries: [Entry]

  /// - Parameter participants: the numbers of all who take part, 0 for who says nothing.
  init(_ script: CallScript, participants: [UInt32]) {
    entries = script.order.map { index in
      let event = script.events[index]
      let concerned: Set<Int> =
        switch event.action {
        case .network: []
        case .join, .leave: Set(participants.indices)
        default: Set(participants.firstIndex(of: event.action.listener ?? event.action.user ?? 0).map { [$0] } ?? [])
        }
      return Entry(index: index, event: event, participants: concerned)
    }
  }

  /// Takes what is due for those whose tick is at `now`.
  mutating func take(nowNanoseconds now: Int, participants: Set<Int>) -> [Due] {
    var due: [Due] = []
    var kept: [Entry] = []
    let late = entries.prefix { $0.event.nanoseconds <= now }
    guard !late.isEmpty else { return [] }
    for var entry in late {
      if case .network = entry.event.action {
        due.append(Due(index: entry.index, event: entry.event, participant: nil))
        continue
      }
      for participant in entry.participants.intersection(participants).sorted() {
        due.append(Due(index: entry.index, event: entry.event, participant: participant))
      }
      entry.participants.subtract(participants)
      if !entry.participants.isEmpty { kept.append(entry) }
    }
    entries.replaceSubrange(..<late.endIndex, with: kept)
    return due
  }
}
