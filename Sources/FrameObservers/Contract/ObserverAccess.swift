/// Access of an observer to a frame.
public enum ObserverAccess: UInt8, Sendable, BitwiseCopyable {
  /// The observer reads the frame.
  case readOnly
  /// The observer reads and changes the frame; the samples that it writes flow on.
  case readWrite
}
