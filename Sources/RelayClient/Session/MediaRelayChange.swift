/// Request for other channels that waits for its answer.
struct MediaRelayChange: Hashable {
  /// Call behind a request.
  enum Kind: Hashable {
    /// Start, or another list.
    case list
    /// Pause of all channels.
    case pause
    /// End of the pause.
    case resume
    /// End of the relay.
    case stop
    /// None: a rejoin has requested the list again.
    case restore
  }

  /// Call.
  let kind: Kind
  /// List that the request names.
  let list: MediaRelayList
  /// Time at which the wait for the answer ends; nil: the request is sent with the next rejoin.
  var untilNanoseconds: Int?
}
