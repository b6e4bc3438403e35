/// Time between two datagrams of RTCP, so that all datagrams of a session together stay within a share of its
/// bandwidth.
///
/// Source: RFC 3550, section 6.3.1 and appendix A.7.
public struct RTCPInterval: Hashable, Sendable, BitwiseCopyable {
  /// Rule for the interval.
  public enum Rule: Hashable, Sendable, BitwiseCopyable {
    /// By the number of members and the bytes a second that RTCP may take.
    case bandwidth(bytesPerSecond: Double)
    /// By a fixed average, the same for every member, for sessions of two.
    case fixed(nanoseconds: Int)
  }

  /// Rule for the interval.
  public var rule: Rule
  /// Members of the session, including the local one.
  public var memberCount: Int
  /// Members that have sent RTP lately.
  public var senderCount: Int
  /// Whether the local member is among the senders.
  public var isSender: Bool
  /// Whether the local member has sent no RTCP yet; then half the minimum applies.
  public var isInitial: Bool
  /// Mean size of the datagrams in bytes, with the headers of UDP and IP.
  public var averageByteCount: Double

  /// Creates an interval from its parts.
  @_noLocks
  public init(
    rule: Rule, memberCount: Int, senderCount: Int, isSender: Bool, isInitial: Bool, averageByteCount: Double
  ) {
    self.rule = rule
    self.memberCount = memberCount
    self.senderCount = senderCount
    self.isSender = isSender
    self.isInitial = isInitial
    self.averageByteCount = averageByteCount
  }

  /// Returns the interval before randomization, Td in the RFC.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func deterministicNanoseconds() -> Int {
    switch rule {
    case .fixed(let nanoseconds): return isInitial ? nanoseconds / 2 : nanoseconds
    case .bandwidth(let bytesPerSecond):
      var bandwidth = bytesPerSecond
      var count = memberCount
      // A quarter of the bandwidth is the senders', unless they are more than a quarter of the members.
      if Double(senderCount) <= 0.25 * Double(memberCount) {
        if isSender {
          bandwidth = bandwidth * 0.25
          count = senderCount
        } else {
          bandwidth = bandwidth * 0.75
          count = memberCount &- senderCount
        }
      }
      let minimum = isInitial ? 2.5 : 5.0
      let seconds = bandwidth > 0 ? averageByteCount * Double(count) / bandwidth : 3600
      // An hour bounds the result for an excessive count of members.
      return Int((seconds < minimum ? minimum : seconds > 3600 ? 3600 : seconds) * 1e9)
    }
  }

  /// Returns the randomized interval, between half and one and a half of the deterministic one, so that members do not
  /// synchronize.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter random: number of 0..<1 from the caller's generator.
  @_noLocks
  public func nanoseconds(random: Double) -> Int {
    let spread = Double(deterministicNanoseconds()) * (0.5 + random)
    switch rule {
    case .fixed: return Int(spread)
    // This factor, e - 3/2, compensates for reconsideration.
    case .bandwidth: return Int(spread / 1.21828)
    }
  }
}
