public import Signalling

/// Event of a session, in the order in which things happen. More events will come: give a `switch` a `default`.
public enum SessionEvent: Hashable, Sendable {
  /// The relay has taken the session; `isResumed`: it still knew an earlier connection's. An account has its uid.
  case opened(isResumed: Bool, uid: UInt32?)
  /// The connection is lost; attempts continue.
  case interrupted
  /// The session has ended for good; nil: the program has closed it.
  case closed(ChannelError?)
  /// A user has sent a message.
  case message(from: UserIdentity, body: String)
  /// A message has its outcome.
  case messageAnswered(request: UInt32, MessageOutcome)
  /// A user has a connected session, or has none.
  case presenceAnswered(request: UInt32, isOnline: Bool)
  /// The token expires after this time.
  case tokenWillExpire(milliseconds: Int)
  /// The token has expired: a new one is needed.
  case tokenRequested
  /// The token was renewed, and expires after this time.
  case tokenRenewed(milliseconds: Int)
  /// The relay has granted a request.
  case granted(request: UInt32)
  /// The relay has refused a request, or the connection was lost before its answer.
  case refused(request: UInt32, ChannelError)
}
