/// Why a call cannot be simulated as it was asked for.
public enum CallError: Error, Hashable, CustomStringConvertible {
  /// A call needs at least two users, or one and an output for the listener who says nothing.
  case tooFewUsers
  /// A uid that is 0, which stands for the listener who says nothing.
  case reservedUID
  /// Two users with one uid.
  case sameUID(UInt32)
  /// A duration that is no time.
  case duration(Double)
  /// No duration was given, and this file does not say how long it is.
  case unknownLength(path: String)

  public var description: String {
    switch self {
    case .tooFewUsers: "a call needs two users, or one and a file for what a silent listener hears; add a user"
    case .reservedUID: "a user's number is 1 or more; 0 is the listener who says nothing"
    case .sameUID(let uid): "two users have the number \(uid); give each its own"
    case .duration(let seconds): "a call lasts longer than 0 s and at most 30 days, not \(seconds) s"
    case .unknownLength(let path): "\(path) does not say how long it is; give the call a duration"
    }
  }
}
