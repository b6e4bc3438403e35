import Signalling

/// Report of a member about itself: its music, and the quality of its own paths.
///
/// Each change of the quality goes to all users of the channel, so that it waits longer in a large one: 2 s with 50
/// users, and 40 s with 1,000.
struct MemberReport {
  /// Whether the user sends music with its audio.
  var playsMusic = false
  /// Newest quality; nil before the first report.
  var quality: UserQuality?
  /// Quality that others know.
  private(set) var announcedQuality: UserQuality?
  private var nextNanoseconds = Int.min

  private static let interval = 2_000_000_000
  private static let usersOfInterval = 50

  /// Time of the next `announceQuality`; nil if others know the newest quality.
  var deadlineNanoseconds: Int? { quality == announcedQuality ? nil : nextNanoseconds }

  /// Lets others know the newest quality, if its time has come.
  mutating func announceQuality(userCount: Int, nowNanoseconds now: Int) {
    guard quality != announcedQuality, now >= nextNanoseconds else { return }
    announcedQuality = quality
    nextNanoseconds = now &+ Self.interval * max(1, userCount / Self.usersOfInterval)
  }
}
