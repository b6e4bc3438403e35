/// The pending events of a script, by participant.
///
/// An event concerns the user with the pipeline that it changes, all users for a join or leave, or the network. Each of
/// them is reached at its own first tick that is not before the event, in the order of the script.
struct ScriptSchedule {
  /// An event that is due now.
  struct Due {
    let index: Int
    let event: ScriptEvent
    /// Index of the participant that the event is due for; nil for the network.
    let participant: Int?
  }

  private struct Entry {
    let index: Int
    let event: ScriptEvent
    var participants: Set<Int>
  }

  private var entries: [Entry]

  /// - Parameters:
  ///   - script: The script.
  ///   - participants: Numbers of all participants, 0 for the silent listener.
  init(_ script: CallScript, participants: [UInt32]) {
    entries = script.order.map { index in
      let event = script.events[index]
      let concerned: Set<Int> =
        switch event.action {
        case .network, .stopRelay, .startRelay, .stepRelayClock, .changeAddress: []
        case .join, .leave: Set(participants.indices)
        default: Set(participants.firstIndex(of: event.action.listener ?? event.action.user ?? 0).map { [$0] } ?? [])
        }
      return Entry(index: index, event: event, participants: concerned)
    }
  }

  /// Returns the events due for the participants with a tick at `now`, and removes them.
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
