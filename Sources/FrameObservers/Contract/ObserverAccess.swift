/// What an observer may do with a frame.
public enum ObserverAccess: UInt8, Sendable, BitwiseCopyable {
  /// Look at it.
  case readOnly
  /// Look at it and change it; what is written is what flows on.
  case readWrite
}
