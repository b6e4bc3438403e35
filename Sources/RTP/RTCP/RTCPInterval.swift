/// How long to wait between two datagrams of RTCP, so that all of a session's together stay within a share of its
/// bandwidth.
///
/// Source: RFC 3550, section 6.3.1 and appendix A.7.
public struct RTCPInterval: Hashable, Sendable, BitwiseCopyable {
  /// How it is found.
  public enum Rule: Hashable, Sendable, BitwiseCopyable {
    /// By the number of members and the bytes a second that RTCP may take.
    case bandwidth(bytesPerSecond: Double)
    /// The same for everybody, for sessions of two: this on average.
    case fixed(nanoseconds: Int)
  }

  /// How it is found.
  public var rule: Rule
  /// Members of the session, oneself among them.
  public var memberCount: Int
  /// Those that have sent RTP of late.
  public var senderCount: Int
  /// Whether one is among them.
  public var isSender: Bool
  /// Whether one has sent no RTCP yet; then half the minimum is waited.
  public var isInitial: Bool
  /// Mean size of the datagrams, with the headers of UDP and IP.
  public var averageByteCount: Double

  /// An interval by its circumstances.
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

  /// The interval before chance moves it, Td in the RFC's words.
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
      // An hour bounds what a count out of control could ask for.
      return Int((seconds < minimum ? minimum : seconds > 3600 ? 3600 : seconds) * 1e9)
    }
  }

  /// The interval, between half and one and a half of the deterministic one, so that members do not fall into step.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter random: A number of 0..<1 from the caller's generator.
  @_noLocks
  public func nanoseconds(random: Double) -> Int {
    let spread = Double(deterministicNanoseconds()) * (0.5 + random)
    switch rule {
    case .fixed: return Int(spread)
    // Reconsideration makes the mean too short by this, e - 3/2.
    case .bandwidth: return Int(spread / 1.21828)
    }
  }
}
