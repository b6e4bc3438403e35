import NetworkIO
import Signalling

/// A client's session, which outlives its connection for a while.
final class Session: TimedObject {
  let id: String
  let app: AppID
  /// User that messages go to and come from; nil for a session that names none.
  let identity: UserIdentity?
  /// Beginning of the session, or of its continuation after its end.
  var beganNanoseconds: Int
  var grant: TokenGrant
  /// Channel of the member with the token that the session has adopted; nil if the session has a token of its own.
  var lender: ChannelName?
  /// Time of the newest message, which keeps the users with media from being dropped.
  var messageNanoseconds: Int
  /// Messages to users that the session may send.
  var allowance = MessageAllowance()
  /// Rate of new channels to which the session's users are relayed: their users hear of each.
  var relayChanges = RateLimit(perSecond: 2, burst: 2 * Token.maximumRelayDestinations)
  /// The client of the latest connection.
  var client: ClientDescription?
  /// Connection; nil after its end.
  var connection: Connection?
  var members: [ChannelName: Member] = [:]
  /// Media connections for later joins, the oldest first.
  var preloads: [Preload] = []
  /// Whether the session has ended because of its token; a new token restores it.
  var isExpired = false

  /// Whether the client knows the relays to which it moves in a drain.
  var isMoving = false

  /// Members by the names of their channels, so that two runs have one order of events.
  var ordered: [Member] { members.values.sorted { $0.channel.name.text < $1.channel.name.text } }

  /// Members that joined without a token of their own: the session's token counts for them.
  var membersWithoutToken: [Member] { ordered.filter { $0.ownGrant == nil } }

  /// Whether messages of users reach the session now.
  var takesMessages: Bool { connection != nil && !isExpired }

  init(_ id: String, app: AppID, identity: UserIdentity?, _ grant: TokenGrant, nowNanoseconds: Int) {
    self.id = id
    self.app = app
    self.identity = identity
    self.grant = grant
    beganNanoseconds = nowNanoseconds
    messageNanoseconds = nowNanoseconds
  }
}
