import Signalling

/// The remote users of a channel, as the relay reports them.
struct ChannelUsers {
  private(set) var byUID: [UInt32: ChannelUser] = [:]
  /// Users that a rejoin did not find, and the time until which they may come back, in nanoseconds.
  private var absent: [UInt32: Int] = [:]

  /// Users with packets that the relay forwards; nil for all users.
  private(set) var speakers: [UInt32]?

  /// Time of the next `expire`; nil if nobody is absent.
  var nextExpiryNanoseconds: Int? { absent.values.min() }

  /// Uids in ascending order.
  var uids: [UInt32] { byUID.keys.sorted() }

  /// Takes the list of a join. Users that were there before are not announced again.
  ///
  /// A full list may be followed by further users, so no user is missing from it. A user that is missing may come back
  /// until `deadline`: behind a relay's restart each joins again by itself.
  ///
  /// - Returns: The changes, in the order of uids.
  mutating func replace(
    with list: [ChannelUser], elapsedMilliseconds elapsed: Int, absentUntil deadline: Int
  ) -> [ChannelEvent] {
    var events: [ChannelEvent] = []
    let present = Set(list.map(\.uid))
    if list.count < MessageLimits.userCount {
      for uid in uids where !present.contains(uid) && absent[uid] == nil {
        absent[uid] = deadline
        guard let old = byUID[uid], old.ssrc != nil else { continue }
        byUID[uid] = ChannelUser(
          uid: uid, account: old.account, muted: old.muted, publishes: old.publishes, music: old.music,
          quality: old.quality, ssrc: nil)
        events.append(.userSource(uid: uid, ssrc: nil))
      }
    }
    for user in list.sorted(by: { $0.uid < $1.uid }) {
      if let old = byUID[user.uid], old.ssrc != nil, user.ssrc == nil {
        events.append(.userSource(uid: user.uid, ssrc: nil))
      }
      events += add(user, elapsedMilliseconds: elapsed)
    }
    return events
  }

  /// Takes the users with packets that the relay forwards; nil for all users, as behind a join.
  mutating func select(_ speakers: [UInt32]?) -> [ChannelEvent] {
    guard speakers != self.speakers else { return [] }
    self.speakers = speakers
    return [.speakersChanged(speakers)]
  }

  /// Removes the users that have not come back in time.
  mutating func expire(nowNanoseconds now: Int) -> [ChannelEvent] {
    absent.filter { $0.value <= now }.keys.sorted().flatMap { remove($0, .dropped) }
  }

  /// Takes a user that has joined.
  mutating func add(_ user: ChannelUser, elapsedMilliseconds elapsed: Int) -> [ChannelEvent] {
    absent[user.uid] = nil
    guard let old = byUID.updateValue(user, forKey: user.uid) else {
      var events = [ChannelEvent.userJoined(user, elapsedMilliseconds: elapsed)]
      if let account = user.account { events.append(.userInfoUpdated(uid: user.uid, account: account)) }
      if user.music { events.append(.userMusic(uid: user.uid, true)) }
      return events
    }
    return Self.changes(from: old, to: user)
  }

  /// Takes a change of a user; absent fields stay.
  mutating func update(_ event: UserUpdatedEvent) -> [ChannelEvent] {
    guard let old = byUID[event.uid] else { return [] }
    let user = ChannelUser(
      uid: old.uid, account: old.account, muted: event.muted ?? old.muted, publishes: event.publishes ?? old.publishes,
      music: event.music ?? old.music, quality: event.quality ?? old.quality, ssrc: event.ssrc ?? old.ssrc)
    byUID[event.uid] = user
    return Self.changes(from: old, to: user)
  }

  /// Removes a user.
  mutating func remove(_ uid: UInt32, _ reason: OfflineReason) -> [ChannelEvent] {
    absent[uid] = nil
    return byUID.removeValue(forKey: uid) == nil ? [] : [.userLeft(uid: uid, reason)]
  }

  private static func changes(from old: ChannelUser, to new: ChannelUser) -> [ChannelEvent] {
    var events: [ChannelEvent] = []
    if old.publishes != new.publishes { events.append(.userPublishes(uid: new.uid, new.publishes)) }
    if old.muted != new.muted { events.append(.userMuted(uid: new.uid, new.muted)) }
    if old.music != new.music { events.append(.userMusic(uid: new.uid, new.music)) }
    if let ssrc = new.ssrc, ssrc != old.ssrc { events.append(.userSource(uid: new.uid, ssrc: ssrc)) }
    return events
  }
}
