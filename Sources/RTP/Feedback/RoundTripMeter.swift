/// The time there and back: a quarter of each new time counts, so that one packet held up does not decide.
struct RoundTripMeter: BitwiseCopyable {
  /// Nil before the first.
  private(set) var nanoseconds: Int?
  /// The shortest so far, 200 ms before it is known: what takes longer is a full queue more often than a distance. It
  /// rises by a 512th of the growth with each report, as another path may be longer.
  private var shortest = 200_000_000

  @_noLocks
  init() {}

  /// Longer is no time there and back but a report that is wrong: one such number would count for a minute.
  static var longest: Int { @_noLocks get { 60_000_000_000 } }

  /// By how much the round trip exceeds the shortest; nil before the first report.
  var growthNanoseconds: Int? {
    @_noLocks get { nanoseconds == nil ? nil : nanoseconds! &- shortest }
  }

  @_noLocks
  mutating func add(_ sample: Int) {
    guard sample <= RoundTripMeter.longest else { return }
    nanoseconds = nanoseconds == nil ? sample : nanoseconds! &+ (sample &- nanoseconds!) / 4
    shortest = shortest < nanoseconds! ? shortest &+ (nanoseconds! &- shortest) / 512 : nanoseconds!
  }
}
