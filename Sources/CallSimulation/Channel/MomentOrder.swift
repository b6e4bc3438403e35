import Platform

/// Work of a simulated call that is due at one moment.
enum MomentWork: Hashable {
  /// The relay's own work.
  case relay
  /// Datagrams of a user arrive at the relay; the user is its index.
  case datagrams(Int)
  /// Messages of a user arrive at the relay.
  case messages(Int)
  /// A user's arrivals, tick and own work.
  case user(Int)
}

/// Draws the order of the work of each moment from the seed of the call.
///
/// Ticks of all users, and packets after equal delays, fall on one nanosecond. In a real call any of them may be the
/// first, and a fault may need one order of many. The numbers are a stream of their own: they change no loss or delay.
struct MomentOrder {
  private var random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed, path: 0, 4) }

  /// Returns the work in its order. Work that is alone draws no number.
  mutating func order(_ due: [MomentWork]) -> [MomentWork] {
    guard due.count > 1 else { return due }
    var ordered = due
    // Source: Fisher and Yates; Knuth, "The Art of Computer Programming", volume 2, algorithm 3.4.2P.
    for last in stride(from: ordered.count - 1, to: 0, by: -1) {
      ordered.swapAt(last, Int(random.next() % UInt64(last + 1)))
    }
    return ordered
  }
}
