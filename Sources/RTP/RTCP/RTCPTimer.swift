/// Determines the times to send RTCP, while members come and go.
///
///     deadline reached ─▶ expire(now, random) ─▶ true: send, then sent(byteCount, now, random)
///                                              false: there is a later deadline
///
/// A state machine: it reads no clock and draws no random numbers. Thread: one at a time.
///
/// Source: RFC 3550, sections 6.3.2 to 6.3.6.
public struct RTCPTimer: Sendable, BitwiseCopyable {
  /// Inputs of the interval, kept up to date by the caller through the methods.
  private var interval: RTCPInterval
  private var lastNanoseconds: Int
  private var memberCountAtSchedule: Int
  /// Time at which `expire` is to be called, in nanoseconds.
  public private(set) var deadlineNanoseconds: Int

  /// Creates the timer of a member that has just joined.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameters:
  ///   - rule: rule for the interval.
  ///   - averageByteCount: expected size of the first datagrams in bytes, with the headers of UDP and IP.
  ///   - nowNanoseconds: present time.
  ///   - random: number of 0..<1 from the caller's generator.
  @_noLocks
  public init(rule: RTCPInterval.Rule, averageByteCount: Double = 128, nowNanoseconds: Int, random: Double) {
    interval = RTCPInterval(
      rule: rule, memberCount: 1, senderCount: 0, isSender: false, isInitial: true,
      averageByteCount: averageByteCount)
    lastNanoseconds = nowNanoseconds
    memberCountAtSchedule = 1
    deadlineNanoseconds = nowNanoseconds &+ interval.nanoseconds(random: random)
  }

  /// Checks the deadline again, since it may have moved when members joined.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: Whether to send now; if not, there is a later deadline.
  @_noLocks
  public mutating func expire(nowNanoseconds: Int, random: Double) -> Bool {
    guard nowNanoseconds >= deadlineNanoseconds else { return false }
    if case .fixed = interval.rule { return true }
    memberCountAtSchedule = interval.memberCount
    let reconsidered = lastNanoseconds &+ interval.nanoseconds(random: random)
    if reconsidered <= nowNanoseconds { return true }
    deadlineNanoseconds = reconsidered
    return false
  }

  /// Notes a sent datagram and sets the next deadline.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func sent(byteCount: Int, nowNanoseconds: Int, random: Double) {
    received(byteCount: byteCount)
    interval.isInitial = false
    lastNanoseconds = nowNanoseconds
    memberCountAtSchedule = interval.memberCount
    deadlineNanoseconds = nowNanoseconds &+ interval.nanoseconds(random: random)
  }

  /// Notes the size of an RTCP datagram from another member, with the headers of UDP and IP.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func received(byteCount: Int) {
    interval.averageByteCount = Double(byteCount) / 16 + interval.averageByteCount * 15 / 16
  }

  /// Updates the members of the session. After members have left, the deadline comes closer in proportion.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func update(memberCount: Int, senderCount: Int, isSender: Bool, nowNanoseconds: Int) {
    precondition(memberCount >= 1 && senderCount >= 0 && senderCount <= memberCount, "one is a member oneself")
    interval.memberCount = memberCount
    interval.senderCount = senderCount
    interval.isSender = isSender
    guard case .bandwidth = interval.rule, memberCount < memberCountAtSchedule else { return }
    let share = Double(memberCount) / Double(memberCountAtSchedule)
    deadlineNanoseconds = nowNanoseconds &+ Int(share * Double(deadlineNanoseconds &- nowNanoseconds))
    lastNanoseconds = nowNanoseconds &- Int(share * Double(nowNanoseconds &- lastNanoseconds))
    memberCountAtSchedule = memberCount
  }
}
