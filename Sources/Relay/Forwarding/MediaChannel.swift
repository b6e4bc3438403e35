import NetworkIO
import RTP

/// Media of a channel: its users with a media connection, their loudest publishers, and the messages to them.
///
/// Thread: that which holds the forwarder.
final class MediaChannel {
  /// Messages to all users within a second: 30 of one user to 1,000, and as many more.
  private static let messagesPerSecond = 60_000
  /// Time between two choices of speakers, in nanoseconds, and the users for which such a choice costs little.
  private static let intervalNanoseconds = 20_000_000
  private static let smallCount = 250
  /// Longest time without a packet of a candidate, in nanoseconds.
  private static let absenceNanoseconds = 3_000_000_000

  /// Users with a media connection, by uid.
  private(set) var users: [MediaUser] = []
  /// Whether users, subscriptions or limits have changed since the last choice of speakers.
  var isChanged = false
  /// Time up to which pauses were announced again.
  var pausedNanoseconds = Int.min / 2
  private var chosenNanoseconds = Int.min / 2
  private var messages = RateLimit(perSecond: messagesPerSecond, burst: messagesPerSecond / 2)

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

  /// Counts a message to a user.
  ///
  /// - Returns: Whether it is within the limit of the channel.
  func allowsMessage(_ now: Int) -> Bool { messages.allows(at: Int64(now)) }

  // MARK: Speakers

  /// Whether a listener hears a limited number of publishers.
  private(set) var choosesSpeakers = false

  /// Notes that users, subscriptions or limits have changed.
  func noteChange() {
    isChanged = true
    choosesSpeakers = users.contains { $0.speakers.limit != nil }
  }

  /// Whether the next choice is due: each costs a step for each listener.
  func isChoiceDue(_ now: Int) -> Bool {
    now &- chosenNanoseconds >= Self.intervalNanoseconds &* max(1, users.count / Self.smallCount)
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
