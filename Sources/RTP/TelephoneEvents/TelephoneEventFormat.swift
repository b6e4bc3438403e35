/// How a stream carries key presses, as SDP says it: `telephone-event/48000`.
public struct TelephoneEventFormat: Hashable, Sendable, BitwiseCopyable {
  /// What stands in SDP. Source: RFC 4733, section 7.1.1.
  public static let encodingName = "telephone-event"

  /// The number that packets carry.
  public var payloadType: UInt8
  /// Units of the duration in a second.
  public var clockRate: Int

  /// A format from its parts.
  public init(payloadType: UInt8, clockRate: Int) {
    self.payloadType = payloadType
    self.clockRate = clockRate
  }
}
