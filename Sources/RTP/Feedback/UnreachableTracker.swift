/// Local packets that were refused for want of a listener or a route, as far as hosts report it.
///
/// A near host reports each packet, others one a second. The packets between two such refusals were then refused too.
///
/// Real-time: wait-free.
struct UnreachableTracker: BitwiseCopyable {
  /// Last number that was refused; nil before the first.
  private(set) var upTo: Int?
  private(set) var lastNanoseconds: Int?

  /// Longest time between refusals that belong together, in nanoseconds. Hosts report a missing listener once a second
  /// (RFC 4443, section 2.4 f).
  private static var pauseNanoseconds: Int { @_noLocks get { 1_500_000_000 } }

  @_noLocks
  init() {}

  /// Notes that the packet sent last was refused.
  ///
  /// - Parameters:
  ///   - number: number of that packet.
  ///   - first: first number of the stream.
  ///   - firstNanoseconds: time at which the first packet was sent.
  ///   - now: present time.
  /// - Returns: Packets refused since the previous call, none of which any receiver can have heard.
  @_noLocks
  mutating func note(upTo number: Int, first: Int, firstNanoseconds: Int, nowNanoseconds now: Int) -> Int {
    let before: Int
    if let upTo, areFresh(nowNanoseconds: now) {
      before = upTo
    } else if upTo == nil, now &- firstNanoseconds <= UnreachableTracker.pauseNanoseconds {
      before = first &- 1
    } else {
      // A receiver may have heard all packets sent in the meantime.
      before = number &- 1
    }
    upTo = number
    lastNanoseconds = now
    return number > before ? number &- before : 0
  }

  /// Returns whether packets are refused at present, as far as it is known.
  @_noLocks
  func areFresh(nowNanoseconds now: Int) -> Bool {
    guard let lastNanoseconds else { return false }
    return now &- lastNanoseconds <= UnreachableTracker.pauseNanoseconds
  }
}
