/// Packet about a telephone key, or another named event.
///
///     0                   1                   2                   3
///     |     event     |E|R| volume    |          duration             |
///
/// Source: RFC 4733, section 2.3.
public struct TelephoneEvent: Hashable, Sendable, BitwiseCopyable {
  /// Number of the event: 0...9 for these digits, 10 for `*`, 11 for `#`, 12...15 for A to D, 16 for a hook flash.
  public let event: UInt8
  /// Whether the key has been released.
  public let isEnd: Bool
  /// Duration of the press so far, in units of the timestamp.
  public let duration: UInt16

  /// Character of the key, one of `0123456789*#ABCD`; nil for other events.
  public var digit: Character? { event < 16 ? Array("0123456789*#ABCD")[Int(event)] : nil }

  /// Reads the event in a payload; nil if the payload is too short for one.
  public init?(parsing payload: UnsafeRawBufferPointer) {
    guard payload.count >= 4, let base = payload.baseAddress else { return nil }
    event = byte(base, 0)
    isEnd = byte(base, 1) & 0x80 != 0
    duration = bigEndian16(base, 2)
  }
}
