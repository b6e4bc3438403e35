/// Reason why a payload is not an Opus packet.
public enum OpusPayloadError: UInt8, Error, BitwiseCopyable, CustomStringConvertible {
  /// No bytes at all.
  case empty
  /// A frame of more than 1275 bytes.
  case frameSize
  /// Two frames of equal size in an odd number of bytes, or several that do not divide the number of bytes.
  case unequalFrames
  /// A frame's size or the padding reaches beyond the packet.
  case truncated
  /// No frames, or more than 120 ms of sound.
  case duration

  public var description: String {
    switch self {
    case .empty: "an Opus packet has at least one byte"
    case .frameSize: "an Opus frame has at most 1275 bytes"
    case .unequalFrames: "Opus frames that should be of equal size cannot be"
    case .truncated: "a frame or the padding reaches beyond the Opus packet"
    case .duration: "an Opus packet has at least one frame, and at most 120 ms"
    }
  }
}
