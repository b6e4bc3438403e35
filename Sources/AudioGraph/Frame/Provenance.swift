/// Where the samples of a frame come from.
public enum Provenance: UInt8, Sendable, BitwiseCopyable {
  /// Read from a device, a file or a program.
  case captured
  /// Decoded from a packet that arrived.
  case decoded
  /// Made up because a packet was lost (packet loss concealment).
  case concealed
  /// Rebuilt from the redundancy in a later packet (forward error correction).
  case recovered
  /// Nothing was there; the samples are zero.
  case silence
}
