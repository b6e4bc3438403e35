/// The end of a loop in which a test waits for another thread: a fault ends it, not only the suite's time limit.
public struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  /// A deadline from now on; generous, for busy machines and sanitizers.
  public init(seconds: Int = 120) { end = ContinuousClock.now + .seconds(seconds) }

  /// True until the deadline.
  public var isAhead: Bool { ContinuousClock.now < end }
}
