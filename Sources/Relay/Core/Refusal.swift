import Signalling

/// Reason for which a request is refused, with its code.
enum Refusal: Error {
  /// The token does not allow it.
  case token(TokenError)
  /// The app is unknown, or requires a token.
  case app(String)
  /// A limit is reached.
  case limit(String, NamedLimit)
  /// The channel has all the publishers that it may have.
  case publishers(NamedLimit)
  /// The user is kept out for a time.
  case banned(String)
  /// An argument does not fit.
  case argument(String)
  /// The request does not fit the state.
  case state(ChannelErrorCode, String)

  /// Returns the report.
  ///
  /// - Parameters:
  ///   - destination: channel to which the client wanted to relay its audio; nil for another request.
  ///   - keepsState: whether only the request is refused; the channel or the session continues.
  func report(
    id: UInt32?, channel: ChannelName? = nil, destination: ChannelName? = nil, keepsState: Bool = false
  ) -> FailureReport {
    func make(
      _ code: ChannelErrorCode, _ reason: ConnectionReason, _ sentence: String, _ cause: FailureCause,
      _ limit: NamedLimit? = nil
    ) -> FailureReport {
      FailureReport(
        id: id, channel: channel, code: code, reason: keepsState ? nil : reason, sentence: sentence, cause: cause,
        limit: limit, destination: destination)
    }
    switch self {
    case .token(let error):
      return FailureReport(error, id: id, channel: channel, destination: destination, keepsState: keepsState)
    case .app(let sentence): return make(.invalidToken, .invalidAppID, sentence, .app)
    case .limit(let sentence, let limit): return make(.refused, .rejected, sentence, .limit, limit)
    case .publishers(let limit):
      return make(
        .refused, .tooManyBroadcasters, "the channel has the maximum number of publishers", .limit, limit)
    case .banned(let sentence): return make(.refused, .bannedByServer, sentence, .banned)
    case .argument(let sentence): return make(.invalidArgument, .joinFailed, sentence, .request)
    case .state(let code, let sentence):
      return FailureReport(id: id, channel: channel, code: code, sentence: sentence, destination: destination)
    }
  }
}
