/// Cause of a refusal or an end, by which a program decides its next step.
public enum FailureCause: String, Hashable, Sendable, CaseIterable {
  /// The request cannot be granted in this form: change it.
  case request
  /// The request does not fit the present state: bring that about first.
  case state
  /// The app is unknown, was removed, or needs a token.
  case app
  /// The token is not valid: sign another one.
  case token
  /// The token has expired, or the time of a session without one: renew it, or begin another session.
  case expired
  /// The token does not grant a role or a right: sign one that does.
  case right
  /// A limit is reached: request it later, or raise the limit.
  case limit
  /// The relay ends soon: join at another one, or later.
  case draining
  /// The relay has banned the user or the connection.
  case banned
  /// Another session of the same user has taken the place of this one.
  case replaced
  /// The relay has had no packets in time: join again.
  case silent
  /// The client has not reached the relay: check the network, and try again later. A relay never sends it.
  case unreached
  /// Another cause, which the sentence explains.
  case other

  /// Whether the same request may succeed later.
  public var isTemporary: Bool {
    switch self {
    case .limit, .draining, .silent, .unreached: true
    case .request, .state, .app, .token, .expired, .right, .banned, .replaced, .other: false
    }
  }

  /// Cause of a report that names none.
  init(_ code: ChannelErrorCode, _ reason: ConnectionReason?, hasLimit: Bool) {
    switch reason {
    case .bannedByServer: self = .banned
    case .sameUserLogin: self = .replaced
    case .interrupted, .clientAddressChanged, .keepAliveTimeout: self = .silent
    case .invalidAppID: self = .app
    case .leave: self = .expired
    default: self = hasLimit ? .limit : FailureCause(code)
    }
  }

  private init(_ code: ChannelErrorCode) {
    self =
      switch code {
      case .invalidArgument, .channelName, .user: .request
      case .notReady, .wrongState, .alreadyInChannel, .notInitialised: .state
      case .tokenExpired: .expired
      case .invalidToken: .token
      case .tooOften, .tooManyDataStreams: .limit
      case .general, .refused, .dataStreamTimeout: .other
      }
  }
}

extension TokenError {
  /// Cause of a refusal for this reason.
  var cause: FailureCause {
    switch self {
    case .role, .rights, .hiddenPublisher, .relayDestination: .right
    case .expired: .expired
    case .otherApp: .app
    default: .token
    }
  }
}
