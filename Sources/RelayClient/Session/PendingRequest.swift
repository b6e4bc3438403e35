import Signalling

/// Request that waits for an answer.
enum PendingRequest: Hashable {
  /// `update`: the settings before it, and those that it requests.
  case update(old: ChannelSettings, new: ChannelSettings)
  /// `renewToken`, the credential before it, and whether it was the session's.
  case renewal(old: SessionCredential, isSessions: Bool)
  /// `diagnose`, and the time at which the wait for its answer ends.
  case diagnosis(untilNanoseconds: Int)

  /// Whether the request is done with the next join, if the connection is lost.
  var outlivesConnection: Bool {
    if case .diagnosis = self { false } else { true }
  }

  /// Time at which the wait for the answer ends; nil: with the connection.
  var expiryNanoseconds: Int? {
    if case .diagnosis(let time) = self { time } else { nil }
  }
}
