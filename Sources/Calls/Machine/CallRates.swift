/// Rates of calls by which a user can be disturbed: those of each other user, and of answers to all of them.
struct CallRates {
  /// Blocked users, whose messages are dropped.
  var blocked: Set<UInt32> = []
  private var calls: [UInt32: [Int]] = [:]
  private var answers: [Int] = []

  /// Calls of one user in a span of 10 s; people redial less.
  private static let callCount = 5
  private static let callSpan = 10_000_000_000
  /// Answers to calls beside the ongoing one in a second.
  private static let answerCount = 10
  /// Users whose calls are counted; the relay's users are more, but not within 10 s.
  private static let userCount = 1_024

  /// Counts a call of a user.
  ///
  /// - Returns: Whether it is within the user's rate.
  mutating func take(callOf user: UInt32, _ now: Int) -> Bool {
    if calls[user] == nil, calls.count >= Self.userCount {
      calls = calls.filter { ($0.value.last ?? 0) > now - Self.callSpan }
      if calls[user] == nil, calls.count >= Self.userCount { return false }
    }
    var times = calls[user, default: []].filter { $0 > now - Self.callSpan }
    defer { calls[user] = times }
    guard times.count < Self.callCount else { return false }
    times.append(now)
    return true
  }

  /// Counts an answer to a call beside the ongoing one.
  ///
  /// - Returns: Whether it is within the rate.
  mutating func takeAnswer(_ now: Int) -> Bool {
    answers.removeAll { $0 <= now - 1_000_000_000 }
    guard answers.count < Self.answerCount else { return false }
    answers.append(now)
    return true
  }
}
