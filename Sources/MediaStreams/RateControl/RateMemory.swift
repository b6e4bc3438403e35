/// Remembers which rate was too much for the way, and for how long it is not asked for again.
///
///     step up ── loss within 10 reports ─▶ not as much again for 120 reports, then, if that is too much again, for 240
///            └── none ───────────────────▶ forgotten
///
/// A state machine without a clock: reports come about once a second. Thread: one at a time.
struct RateMemory: Sendable {
  /// What was too much, in bit/s.
  private var ceiling: Double?
  /// Reports for which it is too much still, and for which it will be the next time.
  private var waitingReports = 0
  private var patience = Self.firstPatience
  /// The last step up, while it is not known what has come of it.
  private var step: (bitsPerSecond: Double, reportCount: Int, lossSum: Double)?

  private static let firstPatience = 120
  private static let longestPatience = 240
  /// A queue on the way fills within seconds, and overflows only then.
  private static let judgedReports = 10
  /// Of so little, lost on the average, a step up is not the cause.
  private static let harmless = 0.005

  /// Whether so much may be asked for.
  func allows(_ bitsPerSecond: Double) -> Bool {
    guard let ceiling, waitingReports > 0 else { return true }
    return bitsPerSecond < ceiling
  }

  /// Notes that more is sent from now on.
  mutating func stepUp(to bitsPerSecond: Double) { step = (bitsPerSecond, 0, 0) }

  /// Notes that loss has made the sender send less.
  mutating func stepDown() {
    guard let step else { return }
    ceiling = min(step.bitsPerSecond, ceiling ?? .infinity)
    waitingReports = patience
    patience = min(Self.longestPatience, 2 * patience)
    self.step = nil
  }

  /// Takes in a report. Returns: whether the last step up has turned out to be too much, little by little.
  mutating func receive(loss: Double) -> Bool {
    waitingReports = max(0, waitingReports - 1)
    guard var step, step.reportCount < Self.judgedReports else {
      step = nil
      return false
    }
    step.reportCount += 1
    step.lossSum += loss
    self.step = step
    guard step.reportCount == Self.judgedReports else { return false }
    guard step.lossSum < Self.harmless * Double(Self.judgedReports) else { return true }
    self.step = nil
    if let ceiling, step.bitsPerSecond >= ceiling {
      self.ceiling = nil
      patience = Self.firstPatience
    }
    return false
  }
}
