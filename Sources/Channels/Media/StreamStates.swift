/// States of a channel's streams, and the time of each.
struct StreamStates {
  private var publish = (state: PublishState.idle, since: 0)
  private var subscribe: [UInt32: (state: SubscribeState, since: Int)] = [:]

  /// Notes the state of the local stream.
  ///
  /// - Returns: The change; nil for the same state.
  mutating func note(_ state: PublishState, nowNanoseconds now: Int) -> ChannelEvent? {
    let old = publish
    guard state != old.state else { return nil }
    publish = (state, now)
    return .publishStateChanged(
      old: old.state, new: state, elapsedMilliseconds: Self.elapsed(since: old.since, now))
  }

  /// Notes the state of a remote user's stream.
  ///
  /// - Returns: The change; nil for the same state.
  mutating func note(_ state: SubscribeState, of uid: UInt32, nowNanoseconds now: Int) -> ChannelEvent? {
    let old = subscribe[uid] ?? (.idle, 0)
    guard state != old.state else { return nil }
    subscribe[uid] = state == .idle ? nil : (state, now)
    return .subscribeStateChanged(
      uid: uid, old: old.state, new: state, elapsedMilliseconds: Self.elapsed(since: old.since, now))
  }

  /// Uids with a state other than idle, in ascending order.
  var uids: [UInt32] { subscribe.keys.sorted() }

  /// The time before the first state does not count.
  private static func elapsed(since: Int, _ now: Int) -> Int { since == 0 ? 0 : (now - since) / 1_000_000 }
}
