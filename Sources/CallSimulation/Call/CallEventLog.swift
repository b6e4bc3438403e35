/// The events of a call, told in the order of time.
///
/// A tick finds out what happens within the 10 ms that it renders, so an event may wait for the ticks of others.
struct CallEventLog {
  /// What has been told.
  private(set) var events: [CallEvent] = []
  private var waiting: [CallEvent] = []

  mutating func add(_ event: CallEvent) {
    // Behind all that are not later: what happens at one time stays in its order.
    let place = waiting.lastIndex { $0.nanoseconds <= event.nanoseconds }.map { $0 + 1 } ?? 0
    waiting.insert(event, at: place)
  }

  /// Tells what lies before `now`.
  mutating func release(untilNanoseconds now: Int, _ tell: (CallEvent) -> Void) {
    let count = waiting.prefix { $0.nanoseconds < now }.count
    guard count > 0 else { return }
    for event in waiting.prefix(count) {
      events.append(event)
      tell(event)
    }
    waiting.removeFirst(count)
  }
}
