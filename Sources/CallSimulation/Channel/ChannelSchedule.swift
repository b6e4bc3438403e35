/// Events of a script that have not happened, in the order of time.
struct ChannelSchedule {
  private var entries: [(index: Int, event: ScriptEvent)]

  init(_ script: CallScript) {
    entries = script.order.map { ($0, script.events[$0]) }
  }

  var nextNanoseconds: Int? { entries.first?.event.nanoseconds }

  /// Returns the next event that is due; nil if there is none.
  mutating func take(nowNanoseconds now: Int) -> (index: Int, event: ScriptEvent)? {
    guard let first = entries.first, first.event.nanoseconds <= now else { return nil }
    return entries.removeFirst()
  }
}
