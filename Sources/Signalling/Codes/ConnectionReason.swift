/// Reason of a change of the connection's state.
public enum ConnectionReason: Int, Hashable, Sendable, CaseIterable {
  /// The client connects.
  case connecting = 0
  /// The join succeeded.
  case joinSuccess = 1
  /// The connection is interrupted.
  case interrupted = 2
  /// The relay has banned the user.
  case bannedByServer = 3
  /// The join failed.
  case joinFailed = 4
  /// The user has left the channel.
  case leave = 5
  /// The app id is not valid at this relay.
  case invalidAppID = 6
  /// The channel's name is not valid.
  case invalidChannel = 7
  /// The token is not valid.
  case invalidToken = 8
  /// The token has expired.
  case tokenExpired = 9
  /// The relay rejected the user.
  case rejected = 10
  /// A proxy was set; reserved, never sent.
  case proxySet = 11
  /// The token was renewed.
  case tokenRenewed = 12
  /// The client's address has changed.
  case clientAddressChanged = 13
  /// Keep-alives had no answer.
  case keepAliveTimeout = 14
  /// The client has joined again after an interruption.
  case rejoinSuccess = 15
  /// The relay was not reached for 20 minutes.
  case lost = 16
  /// An echo test runs.
  case echoTest = 17
  /// The user has changed the address; reserved, never sent.
  case addressChangedByUser = 18
  /// Another session of the same uid has replaced this one.
  case sameUserLogin = 19
  /// The channel has the maximum number of broadcasters.
  case tooManyBroadcasters = 20
}
