/// The publishers of a channel by their loudness, for listeners that hear a limited number of them.
///
/// Thread: that which holds the forwarder.
final class SpeakerSelection {
  /// Users for which a choice every 20 ms costs little.
  private static let smallCount = 250
  /// Longest time without a packet of a candidate, in nanoseconds.
  private static let absenceNanoseconds = 3_000_000_000

  /// Users of the channel with a media connection, by uid.
  private(set) var users: [MediaUser] = []
  /// Whether users, subscriptions or limits have changed since the last choice.
  var isChanged = false
  /// Time of the last choice.
  private(set) var chosenNanoseconds = Int.min / 2
  /// Time up to which pauses were repeated.
  var pausedNanoseconds = Int.min / 2
  private var limitedCount = 0

  /// Time between two choices, in nanoseconds: longer in a large channel, as each costs a step for each listener.
  var intervalNanoseconds: Int { 20_000_000 * max(1, users.count / Self.smallCount) }

  /// Whether a listener has a limit.
  var isOn: Bool { limitedCount > 0 }

  func add(_ user: MediaUser) {
    remove(user)
    users.insert(user, at: users.firstIndex { $0.uid > user.uid } ?? users.endIndex)
    noteChange()
  }

  func remove(_ user: MediaUser) {
    users.removeAll { $0 === user }
    user.stream.ranked = nil
    noteChange()
  }

  /// Notes that users, subscriptions or limits have changed.
  func noteChange() {
    isChanged = true
    limitedCount = users.count { $0.speakers.limit != nil }
  }

  /// Ranks the publishers that can be heard, the loudest first; of equal ones the last that spoke.
  func rank(_ now: Int) -> [MediaUser] {
    chosenNanoseconds = now
    var ranked: [(user: MediaUser, loudness: Double, spoke: Int)] = []
    for user in users {
      let stream = user.stream
      guard user.publishes, !user.isMuted, let last = stream.lastNanoseconds, now &- last < Self.absenceNanoseconds
      else {
        stream.ranked = nil
        continue
      }
      let loudness = stream.activity.loudness(now)
      stream.ranked = (loudness, stream.activity.isSpeaking(now))
      ranked.append((user, loudness, stream.activity.spokeNanoseconds))
    }
    ranked.sort { ($0.loudness, $0.spoke, $1.user.uid) > ($1.loudness, $1.spoke, $0.user.uid) }
    return ranked.map(\.user)
  }
}
