/// Where the engine gets its time from; nothing else reads a clock that could change a sample or an event.
///
/// Time is monotonic and counted in nanoseconds from an origin of the clock's choice.
public protocol EngineClock: AnyObject, Sendable {
  /// Nanoseconds since the clock's origin. Thread: any.
  var nowNanoseconds: Int { get }
  /// Returns when the clock has reached `deadlineNanoseconds`; at once if that lies behind. Thread: any.
  func wait(untilNanoseconds deadlineNanoseconds: Int)
}
