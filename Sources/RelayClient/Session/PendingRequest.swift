import Signalling

/// Request that waits for an answer.
enum PendingRequest: Hashable {
  /// `update`: the settings before it, those that it requests, and the time at which the wait for its answer ends; nil:
  /// with the channel.
  case update(old: ChannelSettings, new: ChannelSettings, untilNanoseconds: Int?)
  /// `renewToken`, the credential before it, and whether it was the session's.
  case renewal(old: SessionCredential, isSessions: Bool)
  /// `diagnose`, and the time at which the wait for its answer ends.
  case diagnosis(untilNanoseconds: Int)
  /// `relayMedia`.
  case mediaRelay(MediaRelayChange)

  /// Whether the request is done with the next join, if the connection is lost.
  var outlivesConnection: Bool {
    switch self {
    case .diagnosis: false
    case .mediaRelay(let change): change.kind != .restore
    case .update, .renewal: true
    }
  }

  /// Time at which the wait for the answer ends; nil: with the connection.
  var expiryNanoseconds: Int? {
    switch self {
    case .diagnosis(let time): time
    case .update(_, _, let time): time
    case .mediaRelay(let change): change.untilNanoseconds
    case .renewal: nil
    }
  }
}
