package import RelayClient

/// State of a load's user.
package enum LoadOutcome: Hashable, Sendable {
  /// Its start is not due yet.
  case waiting
  /// It joins.
  case joining
  /// It has joined; an interruption does not change this.
  case joined
  /// It has failed for good.
  case failed(ChannelError)
}
