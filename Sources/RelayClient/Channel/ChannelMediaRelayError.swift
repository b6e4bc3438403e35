import Signalling

/// Reason of a state of the relay to other channels. The numbers are those of commercial voice SDKs, without those that
/// are never reported here.
public enum ChannelMediaRelayError: Int, Hashable, Sendable, CaseIterable {
  /// No error.
  case ok = 0
  /// The relay has refused the request.
  case serverErrorResponse = 1
  /// The relay has not answered within 5 s.
  case serverNoResponse = 2
  /// A limit of the relay is reached.
  case noResourceAvailable = 3
  /// The user is not in its own channel, or must not publish there.
  case failedJoinSource = 4
  /// The relay has refused one of the other channels.
  case failedJoinDestination = 5
  /// The relay has ended the audio in one of the other channels.
  case failedPacketSentToDestination = 7
  /// The user's own channel has ended.
  case serverConnectionLost = 8
  /// The token of the user's own channel has expired.
  case sourceTokenExpired = 10
  /// The token of one of the other channels has expired, or is no longer valid.
  case destinationTokenExpired = 11

  /// Creates the reason of a refusal.
  ///
  /// - Parameters:
  ///   - refusal: Refusal of the relay.
  ///   - hasDestination: Whether the refusal names one of the other channels.
  init(_ refusal: ChannelError, hasDestination: Bool) {
    switch refusal.code {
    case _ where refusal.limit != nil || refusal.cause == .limit: self = .noResourceAvailable
    case .tokenExpired: self = hasDestination ? .destinationTokenExpired : .sourceTokenExpired
    case _ where hasDestination: self = .failedJoinDestination
    case .refused, .wrongState, .notReady: self = .failedJoinSource
    default: self = .serverErrorResponse
    }
  }

  /// Creates the reason of one channel's end.
  ///
  /// - Parameters:
  ///   - code: Number of the reason.
  ///   - isOfSource: Whether the reason is a token of the user's own channel.
  init(endedWith code: ChannelErrorCode, isOfSource: Bool) {
    switch code {
    case .tokenExpired, .invalidToken: self = isOfSource ? .sourceTokenExpired : .destinationTokenExpired
    case _ where isOfSource: self = .failedJoinDestination
    default: self = .failedPacketSentToDestination
    }
  }
}
