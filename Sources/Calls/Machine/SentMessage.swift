/// A message that is not acknowledged yet.
struct SentMessage {
  /// Part of the message in the call.
  enum Purpose {
    case call, accept, other
    /// An answer to a call that is not the ongoing one: its caller waits for nothing else.
    case answer
    /// A call once more, whose outcome does not matter.
    case repeatedCall
  }

  let purpose: Purpose
  let callID: String
  let text: String
  let receiver: UInt32
  let expiry: Duration
  /// Call of the application that waits; nil for none.
  let completion: Int?
  /// End of all attempts.
  let deadline: Int
  /// Time of the next attempt; nil while one is under way.
  var resendTime: Int?

  /// Time for which the message is still useful.
  func expiry(_ now: Int) -> Duration {
    max(.milliseconds(1), expiry - .nanoseconds(now - (deadline - CallTimes.acknowledgement)))
  }
}
