import Calls

/// Message on its way to the broker.
struct OutgoingMessage: Sendable {
  typealias Completion = @Sendable (Result<Void, SignalError>) -> Void

  /// Longest wait for the connection, and longest wait for the broker's answer. Their sum is the longest way to a
  /// completion.
  static let limitNanoseconds = 5_000_000_000

  let text: String
  let topic: String
  /// Receiver, for sentences.
  let userID: String
  /// Time after which the message is worthless, in nanoseconds of the client's clock.
  let expiryNanoseconds: Int
  /// End of the wait for the connection.
  let deadlineNanoseconds: Int
  let completion: Completion

  init(
    _ text: String, topic: String, userID: String, expiry: Duration, nowNanoseconds now: Int,
    completion: @escaping Completion
  ) {
    (self.text, self.topic, self.userID, self.completion) = (text, topic, userID, completion)
    // A century is as good as longer times, and does not overflow.
    let lifetime = min(expiry, .seconds(3_155_760_000))
    let (seconds, attoseconds) = lifetime.components
    expiryNanoseconds = now + Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    deadlineNanoseconds = min(expiryNanoseconds, now + Self.limitNanoseconds)
  }

  /// Whole seconds until the message is worthless, rounded up. They are at least 1: to mosquitto, 0 is an endless life.
  func expirySeconds(nowNanoseconds now: Int) -> UInt32 {
    UInt32(clamping: max(1, (expiryNanoseconds - now + 999_999_999) / 1_000_000_000))
  }
}
