import Signalling

/// The program's wish that the session stays open without a channel.
struct SessionHold {
  /// Token or app id of the program; nil if it does not hold the session.
  var credential: SessionCredential?
  /// Whether a new token continues the session.
  var isAwaitingToken = false
  /// Newest message of the relay, or the start of the hold, in nanoseconds.
  var heardNanoseconds = 0
  /// Time until which the first connection must be open; `Int.max` without a limit.
  var openDeadline = Int.max
}
