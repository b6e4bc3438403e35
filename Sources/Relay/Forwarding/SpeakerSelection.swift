/// The loudest publishers of a channel, for listeners that hear a limited number of them.
///
/// Thread: that which holds the forwarder.
final class SpeakerSelection {
  /// Loudness that a publisher must exceed a present speaker by, in dB.
  private static let hysteresis = 6.0
  /// Time between two choices, in nanoseconds.
  static let intervalNanoseconds = 20_000_000
  /// Time without a packet after which a publisher is no candidate, in nanoseconds.
  private static let absenceNanoseconds = 3_000_000_000
  /// Publishers behind the limit whose order is watched: a listener may have muted some.
  private static let watchedCount = 8

  /// Users of the channel with a media connection, by uid.
  private(set) var users: [MediaUser] = []
  /// Whether users, subscriptions or limits have changed since the last choice.
  var isChanged = false
  /// Time of the last choice.
  private(set) var chosenNanoseconds = Int.min / 2
  /// Time up to which pauses were repeated.
  var pausedNanoseconds = Int.min / 2
  private var order: [UInt32] = []
  private var limitedCount = 0
  private var largestLimit = 0

  /// Whether a listener has a limit.
  var isOn: Bool { limitedCount > 0 }

  func add(_ user: MediaUser) {
    remove(user)
    users.insert(user, at: users.firstIndex { $0.uid > user.uid } ?? users.endIndex)
    noteChange()
  }

  func remove(_ user: MediaUser) {
    users.removeAll { $0 === user }
    noteChange()
  }

  /// Notes that users, subscriptions or limits have changed.
  func noteChange() {
    isChanged = true
    limitedCount = users.count { $0.speakers.limit != nil }
    largestLimit = users.lazy.compactMap(\.speakers.limit).max() ?? 0
  }

  /// Ranks the publishers that can be heard, the loudest first.
  ///
  /// - Returns: nil if the choice stays as it is.
  func rank(_ now: Int) -> [MediaUser]? {
    chosenNanoseconds = now
    var ranked: [(user: MediaUser, loudness: Double, spoke: Int)] = []
    for user in users where user.publishes && !user.isMuted {
      guard let last = user.stream.lastNanoseconds, now &- last < Self.absenceNanoseconds else { continue }
      let activity = user.stream.activity
      let loudness = activity.loudness(now)
      // Neither a level that never moves nor a speaker in a pause has an advantage from being heard.
      let advantage = user.stream.isHeard && loudness >= 0 && activity.isSpeaking(now) ? Self.hysteresis : 0
      ranked.append((user, loudness + advantage, activity.spokeNanoseconds))
    }
    ranked.sort { ($0.loudness, $0.spoke, $1.user.uid) > ($1.loudness, $1.spoke, $0.user.uid) }
    let watched = ranked.prefix(largestLimit + Self.watchedCount).map(\.user.uid)
    guard isChanged || watched != order else { return nil }
    order = watched
    isChanged = false
    return ranked.map(\.user)
  }
}
