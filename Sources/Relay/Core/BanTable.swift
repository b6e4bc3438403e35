import NetworkIO
import Signalling

/// Users, sessions and networks that the relay keeps out for a time, in memory.
///
/// Thread: one at a time.
struct BanTable {
  /// Whom a ban concerns.
  enum Subject: Hashable {
    /// A user of an app that a token has proved.
    case user(AppID, UserIdentity)
    /// A session, by its id.
    case session(String)
    /// Users without a token at an address.
    case network(AddressNetwork)
  }

  /// Most bans; a further one takes the place of the one that would end first.
  static let largestCount = 10_000

  /// Bans in a list at most: those that end last.
  static let listedCount = 1_000

  private var ends: [Subject: Int] = [:] { didSet { listed = nil } }
  private var listed: [RelayBan]?

  /// Bans in force. O(n).
  func count(_ nowNanoseconds: Int) -> Int { ends.values.count { $0 > nowNanoseconds } }

  /// Bans in force, those that end last first. A list without a change since the last one costs nothing.
  mutating func list(_ clock: RelayClock, _ nowNanoseconds: Int) -> [RelayBan] {
    if let listed { return listed }
    let newest = ends.filter { $0.value > nowNanoseconds }.sorted { $0.value > $1.value }.prefix(Self.listedCount)
    let list = newest.map { RelayBan($0.key, endSeconds: clock.seconds($0.value)) }
    listed = list
    return list
  }

  /// Adds a ban, or lengthens the present one.
  mutating func add(_ subject: Subject, untilNanoseconds end: Int, nowNanoseconds now: Int) {
    if ends.count >= Self.largestCount, ends[subject] == nil {
      ends = ends.filter { $0.value > now }
      if ends.count >= Self.largestCount, let first = ends.min(by: { $0.value < $1.value }) { ends[first.key] = nil }
    }
    ends[subject] = max(end, ends[subject] ?? end)
  }

  /// Returns the time until the end of a ban; nil without one.
  func remainingNanoseconds(_ subject: Subject, _ nowNanoseconds: Int) -> Int? {
    guard let end = ends[subject], end > nowNanoseconds else { return nil }
    return end - nowNanoseconds
  }
}
