/// Notices a device whose samples do not move.
struct StallWatch {
  /// Change of a device.
  enum Change {
    /// The samples have not moved for a time.
    case stalled
    /// The samples move again.
    case moved
  }

  /// Some sound servers stall for a second at their start.
  private static let limitNanoseconds = 2_000_000_000
  /// Longest time that counts between two wake-ups: a thread that did not run cannot tell that its device has stalled.
  private static let stepNanoseconds = 100_000_000

  private var stalledNanoseconds = 0
  private var lastNanoseconds: Int?
  private(set) var isStalled = false

  /// Takes the outcome of a wake-up.
  ///
  /// - Returns: The change; nil if there is none.
  mutating func observe(hasMoved: Bool, atNanoseconds now: Int) -> Change? {
    let step = min(now - (lastNanoseconds ?? now), Self.stepNanoseconds)
    lastNanoseconds = now
    stalledNanoseconds = hasMoved ? 0 : stalledNanoseconds + step
    if hasMoved, isStalled {
      isStalled = false
      return .moved
    }
    return stalledNanoseconds >= Self.limitNanoseconds ? stall() : nil
  }

  /// Notes a stall that is known otherwise.
  ///
  /// - Returns: The change; nil if the stall is known already.
  mutating func stall() -> Change? {
    if isStalled { return nil }
    isStalled = true
    return .stalled
  }
}
