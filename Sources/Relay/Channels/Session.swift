import Signalling

/// A client's session, which outlives its connection for a while.
final class Session: TimedObject {
  let id: String
  let app: AppID
  /// Beginning of the session, or of its continuation after its end.
  var beganNanoseconds: Int
  var grant: TokenGrant
  /// The client of the latest connection.
  var client: ClientDescription?
  /// Connection; nil after its end.
  var connection: Connection?
  var members: [ChannelName: Member] = [:]
  /// Whether the session has ended because of its token; a new token restores it.
  var isExpired = false

  /// Whether the client knows the relays to which it moves in a drain.
  var isMoving = false

  /// Members by the names of their channels, so that two runs have one order of events.
  var ordered: [Member] { members.values.sorted { $0.channel.name.text < $1.channel.name.text } }

  /// Members that joined without a token of their own: the session's token counts for them.
  var membersWithoutToken: [Member] { ordered.filter { $0.ownGrant == nil } }

  init(_ id: String, app: AppID, _ grant: TokenGrant, nowNanoseconds: Int) {
    self.id = id
    self.app = app
    self.grant = grant
    beganNanoseconds = nowNanoseconds
  }
}
