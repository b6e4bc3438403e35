/// Present transit of packets: the mean of the middle half of the newest sixteen.
///
/// A few stragglers do not move it. If the path itself becomes longer or shorter, the mean follows after some packets.
/// Real-time: wait-free.
struct RecentTransits: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 16 } }

  private var newest = SIMD16<Int>(repeating: 0)
  private var count = 0
  private var next = 0
  /// Mean of the middle half, in nanoseconds; 0 before the first packet.
  private(set) var typical = 0
  /// Shortest transit of all sixteen, in nanoseconds; `Int.min` before there are sixteen.
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

  /// Adds a time to all transits.
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
