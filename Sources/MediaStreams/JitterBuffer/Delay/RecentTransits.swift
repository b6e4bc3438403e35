/// How long packets take just now: the mean of the middle half of the newest sixteen.
///
/// A few stragglers do not move it, and when the way itself becomes longer or shorter it is there after some packets.
/// Real-time: wait-free.
struct RecentTransits: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 16 } }

  private var newest = SIMD16<Int>(repeating: 0)
  private var count = 0
  private var next = 0
  /// In nanoseconds; 0 before the first packet.
  private(set) var typical = 0
  /// The shortest of all sixteen; before there are so many, anything may be.
  private(set) var least = Int.min

  @_noLocks
  init() {}

  /// Notes a packet's transit in place of the oldest.
  @_noLocks
  mutating func add(_ transit: Int) {
    newest[next] = transit
    next = (next &+ 1) & (RecentTransits.capacity &- 1)
    count = min(count &+ 1, RecentTransits.capacity)
    refresh()
  }

  /// Lets all have taken so much longer.
  @_noLocks
  mutating func shift(by nanoseconds: Int) {
    newest &+= SIMD16<Int>(repeating: nanoseconds)
    typical &+= nanoseconds
    if least > .min { least &+= nanoseconds }
  }

  @_noLocks
  private mutating func refresh() {
    var sorted = newest
    for index in 1..<max(1, count) {
      let value = newest[index]
      var place = index
      while place > 0, sorted[place &- 1] > value {
        sorted[place] = sorted[place &- 1]
        place &-= 1
      }
      sorted[place] = value
    }
    if count == RecentTransits.capacity { least = sorted[0] }
    let left = count / 4
    // Sums of differences, since transits themselves may be large.
    var sum = 0
    for index in left..<(count &- left) { sum &+= sorted[index] &- sorted[left] }
    typical = sorted[left] &+ sum / (count &- 2 &* left)
  }
}
