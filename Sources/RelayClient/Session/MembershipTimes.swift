/// Times of a membership so far, in nanoseconds.
struct MembershipTimes {
  /// Join call.
  var join = 0
  /// Newest sign of the relay; the start of the attempts before that.
  var heard = 0
  /// Time at which the present step of an attempt has taken too long.
  var step = 0
  /// Newest check of the path.
  var check = 0
  /// Newest packet to the relay.
  var sentPacket = 0
  /// Silence after which the relay drops this user, by its newest answer to a join.
  var drop = Int.max
  /// Newest join.
  var joined = 0
  /// Whether this loss was reported as one.
  var isLossReported = false
  /// Whether the relay's drop of the user was reported since the last success.
  var isDropReported = false
  /// Whether a step that took too long was reported since the last success.
  var isTimeoutReported = false
}
