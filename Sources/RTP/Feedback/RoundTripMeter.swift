/// The time there and back: a quarter of each new time counts, so that one packet held up does not decide.
struct RoundTripMeter: BitwiseCopyable {
  /// Nil before the first.
  private(set) var nanoseconds: Int?

  @_noLocks
  init() {}

  /// Longer is no time there and back but a report that is wrong: one such number would count for a minute.
  static var longest: Int { @_noLocks get { 60_000_000_000 } }

  @_noLocks
  mutating func add(_ sample: Int) {
    guard sample <= RoundTripMeter.longest else { return }
    nanoseconds = nanoseconds == nil ? sample : nanoseconds! &+ (sample &- nanoseconds!) / 4
  }
}
