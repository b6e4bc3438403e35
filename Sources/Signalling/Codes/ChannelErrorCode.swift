/// Number of a refusal, which the engine's errors share.
public enum ChannelErrorCode: Int, Hashable, Sendable, CaseIterable {
  /// A failure without a number of its own.
  case general = -1
  /// An argument is malformed or out of its range.
  case invalidArgument = -2
  /// The request came before its prerequisites.
  case notReady = -3
  /// The relay refuses the request.
  case refused = -5
  /// The engine does not exist.
  case notInitialised = -7
  /// The request is not allowed in this state.
  case wrongState = -8
  /// The call comes too often.
  case tooOften = -12
  /// The user is in the channel already.
  case alreadyInChannel = -17
  /// The channel's name is not valid.
  case channelName = -102
  /// The token has expired.
  case tokenExpired = -109
  /// The token is not valid.
  case invalidToken = -110
  /// The user has as many data streams as it may.
  case tooManyDataStreams = -116
  /// Messages of a data stream have not come in time.
  case dataStreamTimeout = -117
  /// The uid or the user account is not valid.
  case user = -121
}
