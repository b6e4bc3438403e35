/// Step of a session's connection to its relay.
enum SessionPhase: Hashable {
  /// No connection: before the first membership, and behind the last one.
  case idle
  /// The next attempt starts at this time.
  case waiting(untilNanoseconds: Int)
  /// The WebSocket opens.
  case opening
  /// `hello` waits for its answer.
  case greeting
  /// The relay has answered `hello`.
  case open
}
