/// Origin of a frame's samples.
public enum Provenance: UInt8, Sendable, BitwiseCopyable {
  /// Read from a device, a file or a program.
  case captured
  /// Decoded from a packet that arrived.
  case decoded
  /// Concealed because a packet was lost (packet loss concealment).
  case concealed
  /// Recovered from the redundancy in a later packet (forward error correction).
  case recovered
  /// No samples arrived; all are zero.
  case silence
}
