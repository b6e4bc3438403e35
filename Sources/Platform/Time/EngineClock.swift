/// Source of the engine's time. No other code reads a clock that could change a sample or an event.
///
/// Time is monotonic and counted in nanoseconds from an origin that the clock chooses.
public protocol EngineClock: AnyObject, Sendable {
  /// Nanoseconds since the clock's origin. Thread: any.
  var nowNanoseconds: Int { get }
  /// Waits until the clock reaches `deadlineNanoseconds`; returns at once if that has passed. Thread: any.
  func wait(untilNanoseconds deadlineNanoseconds: Int)
  /// The present moment outside of the engine, for the times of recordings; nil if the clock shows none. Thread: any.
  var utcNow: UTCTime? { get }
}

extension EngineClock {
  public var utcNow: UTCTime? { nil }
}
