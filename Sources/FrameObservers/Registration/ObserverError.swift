import AudioGraph

/// Reason why an observer cannot be registered.
public enum ObserverError: Error, Hashable, CustomStringConvertible {
  /// An asynchronous observer gets copies, so its changes could not flow on.
  case asynchronousWriter(ObserverPosition)
  /// An asynchronous observer has a capacity of 1 to 60000 frames, which are 10 minutes.
  case capacity(Int)
  /// Params belong to one position each.
  case severalPositions(ObserverPosition)
  /// Changes in a read-only format would be lost.
  case readOnlyChange(ObserverPosition)
  /// Two streams have the same origin and cannot be distinguished.
  case duplicatePlace(FrameOrigin)

  public var description: String {
    switch self {
    case .asynchronousWriter:
      "an asynchronous observer gets copies and cannot change frames; register it as synchronous or read-only"
    case .capacity(let capacity):
      "an asynchronous observer cannot hold \(capacity) frames; give it a capacity of 1 to "
        + "\(FrameRing.capacities.upperBound)"
    case .severalPositions(let position):
      "params belong to one position each, and '\(position.name)' is not one; give each position its own"
    case .readOnlyChange(let position):
      "the params of \(position.name) are read-only, so no change would be heard; make their access .readWrite"
    case .duplicatePlace(let source):
      "\(source.position.name) of channel '\(source.channelID)', user \(source.uid) is observable already; give it "
        + "another uid or channel"
    }
  }
}
