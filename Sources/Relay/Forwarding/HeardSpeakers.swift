/// Speakers that a listener hears.
struct HeardSpeakers {
  /// Loudness by which another publisher must exceed a speaker that is not in a pause, in dB.
  private static let hysteresis = 6.0

  /// Publishers by name that count: each costs a step of every choice.
  static let namedCount = 32

  /// Publishers that are heard at the same time, at most; nil without a limit.
  var limit: Int?
  /// Publishers to which the listener subscribes by name: these win over louder ones.
  var explicit: [UInt32] = []
  /// Whether the listener gets a report of its speakers.
  var news = SpeakerNews.unwanted
  /// Packets that are chosen.
  var legs: [ForwardingLeg] = []

  /// Returns the packets to choose, within the limit.
  ///
  /// - Parameters:
  ///   - ranked: publishers that can be heard, the loudest first.
  ///   - listener: the listener, which does not hear itself.
  ///   - isChanged: whether users, subscriptions or limits have changed since the last choice.
  /// - Returns: nil if the present ones stay.
  func choose(_ ranked: [MediaUser], _ listener: MediaUser, isChanged: Bool) -> [ForwardingLeg]? {
    guard let limit else { return nil }
    if !isChanged, explicit.isEmpty, legs.count == limit, let weakest = legs.lazy.map(rank).min() {
      let challenger = ranked.first {
        $0 !== listener && listener.legs[$0.uid].map { $0.isActive && !$0.isChosen } == true
      }
      if (challenger?.stream.ranked?.loudness ?? -.infinity) <= weakest { return nil }
    }
    let named = explicit.lazy.compactMap { listener.legs[$0] }.filter { $0.isActive && $0.stream.ranked != nil }
    var chosen = Array(named.prefix(limit))
    let count = limit - chosen.count
    guard count > 0 else { return chosen }
    // The loudest, and the present ones, of which some may be quieter.
    var pool: [ForwardingLeg] = []
    for publisher in ranked where publisher !== listener && pool.count < count + legs.count {
      guard let leg = listener.legs[publisher.uid], leg.isActive, !chosen.contains(where: { $0 === leg }) else {
        continue
      }
      pool.append(leg)
    }
    for leg in legs where leg.isActive && leg.stream.ranked != nil {
      if !pool.contains(where: { $0 === leg }), !chosen.contains(where: { $0 === leg }) { pool.append(leg) }
    }
    // Equal publishers keep the order of their ranks.
    let order = pool.enumerated().sorted { (rank($0.element), -$0.offset) > (rank($1.element), -$1.offset) }
    chosen += order.prefix(count).map(\.element)
    return chosen
  }

  /// Loudness with the advantage of a present speaker. Neither a level that never moves nor a pause has one.
  private func rank(_ leg: ForwardingLeg) -> Double {
    guard let ranked = leg.stream.ranked else { return -.infinity }
    let hasAdvantage = ranked.isSpeaking && ranked.loudness >= 0 && leg.isChosen
    return ranked.loudness + (hasAdvantage ? Self.hysteresis : 0)
  }
}
