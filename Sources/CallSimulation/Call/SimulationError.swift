/// Reason why a call cannot be simulated.
public enum SimulationError: Error, Hashable, CustomStringConvertible {
  /// Too few users: a call needs at least two, or one and an output for the silent listener.
  case tooFewUsers
  /// A uid of 0, which stands for the silent listener.
  case reservedUID
  /// Two users with the same uid.
  case sameUID(UInt32)
  /// A duration, in seconds, that is not allowed.
  case duration(Double)
  /// No duration is given, and the file at `path` does not state its length.
  case unknownLength(path: String)
  /// A codec that channels of a relay do not carry.
  case relayCodec
  /// The packet capture at `path` cannot be written.
  case capture(path: String, reason: String)

  public var description: String {
    switch self {
    case .tooFewUsers: "a call needs two users, or one and a file for what a silent listener hears; add a user"
    case .reservedUID: "a user's number is 1 or more; 0 is the listener who says nothing"
    case .sameUID(let uid): "two users have the number \(uid); give each its own"
    case .duration(let seconds): "a call lasts longer than 0 s and at most 30 days, not \(seconds) s"
    case .relayCodec: "a relay's channels carry Opus, or the null codec; choose one of them, or topology .direct"
    case .capture(let path, let reason): "\(path) cannot be written (\(reason)); choose another place"
    case .unknownLength(let path): "\(path) does not say how long it is; give the call a duration"
    }
  }
}
