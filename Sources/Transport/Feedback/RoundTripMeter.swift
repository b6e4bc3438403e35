/// The time there and back: a quarter of each new time counts, so that one packet held up does not decide.
struct RoundTripMeter: BitwiseCopyable {
  /// Nil before the first.
  private(set) var nanoseconds: Int?

  @_noLocks
  init() {}

  @_noLocks
  mutating func add(_ sample: Int) {
    nanoseconds = nanoseconds == nil ? sample : nanoseconds! &+ (sample &- nanoseconds!) / 4
  }
}
