import Platform
import Signalling

/// Identity of the local user in a channel.
struct MembershipIdentity {
  /// Uid in the channel; nil before the first join.
  var uid: UInt32?
  /// Account in the channel; nil for a user without one.
  var account: UserAccount?
  /// SSRC to publish with; nil if the user must not publish.
  var ssrc: UInt32? { didSet { if let ssrc { reportSSRC = ssrc } } }
  /// SSRC of reports.
  private(set) var reportSSRC: UInt32
  /// Address of this machine or its network, as the relay saw it at the last join.
  var address: SocketAddress?
  /// Whether the relay may have the user in the channel.
  var isAtRelay = false
  /// Whether the channel was joined once.
  var hasJoined = false
  /// Whether a new token continues a session whose token has expired.
  var isAwaitingToken = false

  init(reportSSRC: UInt32) { self.reportSSRC = reportSSRC }
}
