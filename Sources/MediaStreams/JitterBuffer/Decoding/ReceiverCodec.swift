/// Codec of the payloads of a received stream.
public enum ReceiverCodec: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// Opus (RFC 7587).
  case opus
  /// 16-bit samples in network byte order at 48 kHz (RFC 3551, L16).
  case linear16
  /// No sound: source and sequence number, checked at arrival (`NullPayload`).
  case null
}
