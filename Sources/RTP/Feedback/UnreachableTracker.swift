/// Which of one's packets have come back because nobody listens or there is no way, as far as hosts say so.
///
/// A host that is near says it of each packet, others of one a second: what lies between two refusals has then come
/// back too.
///
/// Real-time: wait-free.
struct UnreachableTracker: BitwiseCopyable {
  /// The last number that has come back.
  private(set) var upTo: Int?
  private(set) var lastNanoseconds: Int?

  /// Hosts say once a second that nobody listens (RFC 4443, section 2.4 f).
  private static var pauseNanoseconds: Int { @_noLocks get { 1_500_000_000 } }

  @_noLocks
  init() {}

  /// Notes that the packet sent last has come back.
  ///
  /// - Parameters:
  ///   - first: the stream's first number, sent at `firstNanoseconds`.
  /// - Returns: packets that have come back since it was noted last, none of which somebody can have heard.
  @_noLocks
  mutating func note(upTo number: Int, first: Int, firstNanoseconds: Int, nowNanoseconds now: Int) -> Int {
    let before: Int
    if let upTo, areFresh(nowNanoseconds: now) {
      before = upTo
    } else if upTo == nil, now &- firstNanoseconds <= UnreachableTracker.pauseNanoseconds {
      before = first &- 1
    } else {
      // Somebody may have heard all that was sent in the meantime.
      before = number &- 1
    }
    upTo = number
    lastNanoseconds = now
    return number > before ? number &- before : 0
  }

  /// Whether packets come back, as far as one can know.
  @_noLocks
  func areFresh(nowNanoseconds now: Int) -> Bool {
    guard let lastNanoseconds else { return false }
    return now &- lastNanoseconds <= UnreachableTracker.pauseNanoseconds
  }
}
