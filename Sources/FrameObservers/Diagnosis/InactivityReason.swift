/// Reason why an observer is not called.
public enum InactivityReason: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The registration has been removed.
  case removed
  /// The registration's mask does not name the position.
  case maskBitUnset
  /// Nothing drives the graph.
  case notRunning
  /// The engine is not in a channel.
  case notInChannel
  /// Nothing captures the local user.
  case captureStopped
  /// The local user's stream is muted, so nothing is about to be sent.
  case muted
  /// No remote user publishes.
  case noRemotePublisher
  /// Ear monitoring is off.
  case earMonitoringOff

  public var description: String {
    switch self {
    case .removed: "the observer has been removed; register it again"
    case .maskBitUnset: "the observer's mask does not name this position; set its bit"
    case .notRunning: "the engine is not running; start it"
    case .notInChannel: "the engine is in no channel; join one"
    case .captureStopped: "nothing captures the local user; enable local audio or give a local source"
    case .muted: "the local stream is muted; unmute it"
    case .noRemotePublisher: "no remote user publishes; wait for one"
    case .earMonitoringOff: "ear monitoring is off; turn it on"
    }
  }
}
