import Signalling

/// Quality of a member's own paths, and the part of it that others know.
///
/// Each report goes to all users of the channel, so that it waits longer in a large one: a channel of 50 users has a
/// report of each user in 2 s at most, and one of 1,000 in 40 s.
struct MemberQuality {
  /// Newest quality; nil before the first report.
  var newest: UserQuality?
  /// Quality that others know.
  private(set) var announced: UserQuality?
  private var nextNanoseconds = Int.min

  private static let interval = 2_000_000_000
  private static let usersOfInterval = 50

  /// Time of the next `announce`; nil if others know the newest quality.
  var deadlineNanoseconds: Int? { newest == announced ? nil : nextNanoseconds }

  /// Lets others know the newest quality, if its time has come.
  mutating func announce(userCount: Int, nowNanoseconds now: Int) {
    guard newest != announced, now >= nextNanoseconds else { return }
    announced = newest
    nextNanoseconds = now &+ Self.interval * max(1, userCount / Self.usersOfInterval)
  }
}
