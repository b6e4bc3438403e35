/// On-off signals of a user, such as its mute, under way to one listener. No signal is lost, and later signals arrive
/// later.
struct SwitchSignals {
  private var underWay: [(isOn: Bool, arrival: Int)] = []
  /// State of the newest signal, arrived or not.
  private var newest = false

  mutating func send(_ isOn: Bool, arrivalNanoseconds arrival: Int) {
    newest = isOn
    underWay.append((isOn, max(arrival, underWay.last?.arrival ?? arrival)))
  }

  /// Removes and returns the oldest signal that has arrived by now; nil if there is none.
  mutating func receive(nowNanoseconds now: Int) -> Bool? {
    guard let first = underWay.first, first.arrival <= now else { return nil }
    return underWay.removeFirst().isOn
  }

  /// Returns the current state for a user that has just joined, and drops signals under way.
  mutating func arrive() -> Bool {
    underWay = []
    return newest
  }
}
