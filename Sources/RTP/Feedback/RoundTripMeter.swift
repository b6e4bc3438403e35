/// Smoothed round trip: each new time counts a quarter, so that one delayed packet does not decide.
struct RoundTripMeter: BitwiseCopyable {
  /// Smoothed round trip, in nanoseconds; nil before the first time.
  private(set) var nanoseconds: Int?

  @_noLocks
  init() {}

  /// Longest credible round trip, in nanoseconds. A longer one is a false report, and would have an effect for a
  /// minute.
  static var longest: Int { @_noLocks get { 60_000_000_000 } }

  @_noLocks
  mutating func add(_ sample: Int) {
    guard sample <= RoundTripMeter.longest else { return }
    nanoseconds = nanoseconds == nil ? sample : nanoseconds! &+ (sample &- nanoseconds!) / 4
  }
}
