/// Why an observer cannot be registered.
public enum ObserverError: Error, Hashable, CustomStringConvertible {
  /// An asynchronous observer gets copies, so what it writes could not flow on.
  case asynchronousWriter(ObserverPosition)
  /// An asynchronous observer needs room for at least one frame.
  case noCapacity

  public var description: String {
    switch self {
    case .asynchronousWriter:
      "an asynchronous observer gets copies and cannot change frames; register it as synchronous or read-only"
    case .noCapacity: "an asynchronous observer needs a capacity of at least 1 frame"
    }
  }
}
