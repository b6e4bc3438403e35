import Signalling

/// Relay of the local user's audio to other channels, as its membership knows it.
struct MediaRelayStatus {
  /// State, as the program knows it.
  var state = ChannelMediaRelayState.idle
  /// List that the relay has granted; nil: it has none.
  var granted: MediaRelayList?
  /// Uids of the local user in the other channels.
  var uids: [ChannelName: UInt32] = [:]
  /// Whether the relay may have a list.
  var isAtRelay = false
  /// Whether the program knows of a lost connection.
  var isInterrupted = false
}
