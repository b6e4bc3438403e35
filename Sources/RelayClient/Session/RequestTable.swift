/// Requests of a membership that wait for an answer, and the state that the granted ones have brought about.
struct RequestTable {
  /// Id of the newest `join`.
  var attempt: UInt32 = 0
  /// Other requests that wait.
  var pending: [UInt32: PendingRequest] = [:]
  /// Settings without those that wait for the relay's answer.
  var confirmed: ChannelSettings
  /// Relay to other channels.
  var mediaRelay = MediaRelayStatus()

  init(confirmed: ChannelSettings) { self.confirmed = confirmed }

  /// Settings if the relay grants all requests that wait.
  var requestedSettings: ChannelSettings {
    var settings = confirmed
    for id in pending.keys.sorted() {
      if case .update(let old, let new, _)? = pending[id] { settings.change(from: old, to: new) }
    }
    return settings
  }

  /// Id of the newest `renewToken` that waits; nil if none does.
  var newestRenewal: UInt32? {
    pending.filter { if case .renewal = $0.value { true } else { false } }.keys.max()
  }

  /// Requests for other channels that wait, the oldest first.
  var mediaRelayChanges: [(id: UInt32, change: MediaRelayChange)] {
    pending.sorted { $0.key < $1.key }.compactMap { id, request in
      if case .mediaRelay(let change) = request { (id, change) } else { nil }
    }
  }

  /// Lets the requests for other channels wait for the next rejoin.
  mutating func suspendMediaRelay() {
    for (id, var change) in mediaRelayChanges {
      change.untilNanoseconds = nil
      pending[id] = .mediaRelay(change)
    }
  }

  /// Time of the next `expire`; nil if no request has an end.
  var nextExpiryNanoseconds: Int? { pending.values.compactMap(\.expiryNanoseconds).min() }

  /// Removes the requests with a wait that is over.
  ///
  /// - Returns: The requests by their ids, in ascending order.
  mutating func expire(nowNanoseconds now: Int) -> [(id: UInt32, request: PendingRequest)] {
    guard let next = nextExpiryNanoseconds, next <= now else { return [] }
    let over = pending.filter { ($0.value.expiryNanoseconds ?? .max) <= now }.sorted { $0.key < $1.key }
    for (id, _) in over { pending[id] = nil }
    return over.map { ($0.key, $0.value) }
  }
}
