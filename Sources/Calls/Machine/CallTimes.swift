/// Times of calls, in nanoseconds.
enum CallTimes {
  /// Longest time from the acceptance to the first frame of the other user.
  static let connecting = 15_000_000_000
  /// Longest time until a message is acknowledged.
  static let acknowledgement = 5_000_000_000
  /// Time after which a message that has failed is sent again.
  static let resend = 500_000_000
  /// Time in which a user that has left the room may come back, and in which its message of the end may arrive.
  static let absence = 2_000_000_000
  /// Time for which the relay may be lost, behind the 4 s of its silence: with them the drop time of a relay, at which
  /// the other user ends the call.
  static let loss = 16_000_000_000
  /// Time behind which a user that is in the room and muted counts as heard.
  static let muted = 2_000_000_000
  /// Time after which a room is joined again that another session of the user has taken.
  static let rejoin = 1_000_000_000
  /// Time for which a callee without a limit of its own rings longer than the caller.
  static let lostCancel = 5_000_000_000
  /// Time for which the ids of calls that have ended are known: no message of theirs comes later.
  static let memory = 60_000_000_000
}
