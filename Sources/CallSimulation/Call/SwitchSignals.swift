/// What signalling says of something that is on or off with a user, such as its mute, on its way to one listener:
/// nothing is lost, and what is sent later arrives later.
struct SwitchSignals {
  private var underWay: [(isOn: Bool, arrival: Int)] = []
  /// What has been said last, whether it has arrived or not.
  private var newest = false

  mutating func send(_ isOn: Bool, arrivalNanoseconds arrival: Int) {
    newest = isOn
    underWay.append((isOn, max(arrival, underWay.last?.arrival ?? arrival)))
  }

  /// Takes the oldest that has arrived by now; nil: none.
  mutating func receive(nowNanoseconds now: Int) -> Bool? {
    guard let first = underWay.first, first.arrival <= now else { return nil }
    return underWay.removeFirst().isOn
  }

  /// Takes what is true now, for one who has just come.
  mutating func arrive() -> Bool {
    underWay = []
    return newest
  }
}
