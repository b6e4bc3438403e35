/// The events of a call, reported in the order of time.
///
/// A tick finds the events within the 10 ms that it renders, so an event may wait for the ticks of other participants.
struct SimulationEventLog {
  /// Events reported so far.
  private(set) var events: [SimulationEvent] = []
  private var waiting: [SimulationEvent] = []

  mutating func add(_ event: SimulationEvent) {
    // Inserted after all events that are not later: events at the same time keep their order.
    let place = waiting.lastIndex { $0.nanoseconds <= event.nanoseconds }.map { $0 + 1 } ?? 0
    waiting.insert(event, at: place)
  }

  /// Reports the events before `now`.
  mutating func release(untilNanoseconds now: Int, _ tell: (SimulationEvent) -> Void) {
    let count = waiting.prefix { $0.nanoseconds < now }.count
    guard count > 0 else { return }
    for event in waiting.prefix(count) {
      events.append(event)
      tell(event)
    }
    waiting.removeFirst(count)
  }
}
