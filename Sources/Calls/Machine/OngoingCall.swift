/// A call that rings, connects or is connected.
struct OngoingCall {
  let id: String
  let peer: UInt32
  let isCaller: Bool
  let room: String
  var token: String
  /// Information for the application about the call.
  let info: [String: String]
  /// Text of the call message, which a simultaneous call repeats; nil at the callee.
  var message: String?
  /// Ends the ringing or the connecting; nil for ringing without a limit.
  var deadline: Int?
  /// Session of the callee that has accepted.
  var acceptedDevice: String?
  /// Number of the join that is under way or done; nil without one.
  var attempt: Int?
  /// Joins after another session of the user has taken the room.
  var rejoinCount = 0
  var rejoinTime: Int?
  /// Whether a frame of the other user was decoded.
  var hasHeard = false
  /// Ends the call of a user that has left the room.
  var absenceDeadline: Int?
  /// Ends a call whose connection to the relay is lost.
  var lossDeadline: Int?
  /// Whether the other user is in the room and muted: no frame comes of it.
  var isPeerMuted = false
  var mutedTime = 0
  /// Time at which both sides knew of the acceptance: the caller has it, and the callee has the caller's word.
  var agreedTime: Int?
  /// Other users of the room that were told of.
  var strangers: Set<UInt32> = []
  /// Whether the local user is in the room.
  var isJoined = false
  /// Time at which the users heard each other; nil before.
  var connectedNanoseconds: Int?

  /// Time at which a call with a muted user is connected without a frame; nil if it is not.
  var mutedDeadline: Int? {
    guard isPeerMuted, connectedNanoseconds == nil, let agreedTime else { return nil }
    return max(agreedTime, mutedTime) + CallTimes.muted
  }
}
