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

  /// Number among all work of a call.
  fileprivate var number: UInt64 {
    switch self {
    case .relay: 0
    case .datagrams(let index): 3 * UInt64(index) + 1
    case .messages(let index): 3 * UInt64(index) + 2
    case .user(let index): 3 * UInt64(index) + 3
    }
  }
}

/// Draws the order of the work of each moment from the seed of the call.
///
/// Ticks of all users, and packets after equal delays, fall on one nanosecond. In a real call any of them may be the
/// first, and a fault may need one order of many. The order of two depends on the seed, the moment and these two: other
/// work, and earlier moments, do not change it.
struct MomentOrder {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// Returns the work of a moment in its order.
  func order(_ due: [MomentWork], nowNanoseconds now: Int) -> [MomentWork] {
    guard due.count > 1 else { return due }
    let drawn = due.map { work in
      var random = RandomStream(seed: seed, path: 0, 4, UInt64(now), work.number)
      return (key: random.next(), work: work)
    }
    return drawn.sorted { ($0.key, $0.work.number) < ($1.key, $1.work.number) }.map(\.work)
  }
}
