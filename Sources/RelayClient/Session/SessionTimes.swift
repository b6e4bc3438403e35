/// Times of a session's connection so far, in nanoseconds.
struct SessionTimes {
  /// Time at which the present step of an attempt has taken too long.
  var step = 0
  /// Newest message to the relay.
  var sentText = 0
  /// First message to the relay since the relay's newest one; nil if no message waits for an answer.
  var unanswered: Int?
  /// Longest time without a message; `Int.max` for no limit.
  var keepAlive = Int.max
}
