/// Lines about users for a log, within a capacity.
///
/// Unless it is on, nothing is kept, and no text is made.
struct UserLog: Sendable {
  /// Lines that wait for their reader at most; later ones are counted.
  static let capacity = 1_000
  var isOn = false
  private var lines: [String] = []
  private var lostCount = 0

  mutating func append(_ line: @autoclosure () -> String) {
    guard isOn else { return }
    guard lines.count < Self.capacity else {
      lostCount += 1
      return
    }
    lines.append(line())
  }

  /// Appends the lines of another log, and empties it.
  mutating func take(from other: inout UserLog) {
    guard other.isOn, !other.lines.isEmpty else { return }
    for line in other.lines { append(line) }
    lostCount += other.lostCount
    other.clear()
  }

  /// Takes all lines; the last one counts those beyond the capacity.
  mutating func takeLines() -> [String] {
    defer { clear() }
    return lostCount == 0 ? lines : lines + ["\(lostCount) further lines about users are left out"]
  }

  private mutating func clear() {
    lines.removeAll(keepingCapacity: true)
    lostCount = 0
  }
}
