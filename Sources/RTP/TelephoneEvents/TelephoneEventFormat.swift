/// Format of key presses in a stream, as in SDP: `telephone-event/48000`.
public struct TelephoneEventFormat: Hashable, Sendable, BitwiseCopyable {
  /// Name of the format in SDP. Source: RFC 4733, section 7.1.1.
  public static let encodingName = "telephone-event"

  /// Payload type of the packets.
  public var payloadType: UInt8
  /// Units of the duration in a second.
  public var clockRate: Int

  /// Creates a format from its parts.
  public init(payloadType: UInt8, clockRate: Int) {
    self.payloadType = payloadType
    self.clockRate = clockRate
  }
}
