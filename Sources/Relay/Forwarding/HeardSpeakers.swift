/// Speakers that a listener hears.
struct HeardSpeakers {
  /// Publishers that are heard at the same time, at most; nil without a limit.
  var limit: Int?
  /// Publishers to which the listener subscribes by name: these win over louder ones.
  var explicit: [UInt32] = []
  /// Packets that are chosen.
  var legs: [ForwardingLeg] = []
}
