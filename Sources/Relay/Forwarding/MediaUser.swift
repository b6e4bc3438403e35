import NetworkIO

/// Media of a user in a channel: its stream, its media connection and the packets to it.
///
/// The signalling writes the rights of the user here, and the forwarder obeys them.
///
/// Thread: that which holds the forwarder.
final class MediaUser {
  let uid: UInt32
  unowned let member: Member
  /// Whether packets of the user are decrypted.
  var mayPublish = false
  /// Whether the user publishes, though it may have muted itself.
  var publishes = false
  var isMuted = false
  /// Media connection; nil after the end of the token.
  var peer: MediaPeer?
  /// Messages from and to the user; nil for one that takes none.
  var data: MediaData?
  /// Speakers that the user hears.
  var speakers = HeardSpeakers()
  /// Media of the channel; nil before the first connection.
  var channel: MediaChannel?
  /// Packets of this user.
  let stream = PublishedStream()
  /// Links to the other channels in which the user is heard.
  var links: [RelayLink] = []
  /// Packets to this user, by the publisher's uid.
  var legs: [UInt32: ForwardingLeg] = [:]
  /// Time of the join request while its media connection is not established; nil behind it.
  var joinNanoseconds: Int?
  /// Time of the last packet or check.
  var heardNanoseconds: Int
  var audienceWatch = AudienceWatch()
  /// Rate of the user's packets: those of 2.5 ms are 400 in a second, and those of 2 s may come at once.
  var packetRate = RateLimit(perSecond: 500, burst: 1_000)
  /// Whether the signalling was told that the user floods.
  var isFlooding = false

  init(_ member: Member, nowNanoseconds: Int) {
    self.member = member
    uid = member.uid
    heardNanoseconds = nowNanoseconds
  }
}
