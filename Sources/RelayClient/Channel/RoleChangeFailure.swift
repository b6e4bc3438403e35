import Signalling

/// Reason why a change of the role has failed. The numbers are those of commercial voice SDKs.
public enum RoleChangeFailure: Int, Hashable, Sendable, CaseIterable {
  /// The channel has the maximum number of broadcasters.
  case tooManyBroadcasters = 1
  /// The token does not allow the role.
  case notAuthorized = 2
  /// The relay has not answered within 10 s.
  case timedOut = 3
  /// The channel has ended before the relay's answer.
  case connectionFailed = 4

  /// Creates the reason of a refusal.
  init(_ refusal: ChannelError) { self = refusal.limit == nil ? .notAuthorized : .tooManyBroadcasters }
}
