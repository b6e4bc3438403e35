public import RTP

/// Payload type of Opus in a media section, with the parameters that belong to it.
///
/// Source: RFC 7587, section 7.
public struct OpusPayloadType: Hashable, Sendable {
  /// Payload type in packets.
  public var payloadType: UInt8
  /// Preferences of the description's author for packets to the author.
  public var parameters: OpusFormatParameters

  /// Creates a payload type. Traps for a payload type of more than seven bits.
  public init(payloadType: UInt8 = 111, parameters: OpusFormatParameters = OpusFormatParameters()) {
    precondition(payloadType < 128, "an RTP payload type has seven bits")
    self.payloadType = payloadType
    self.parameters = parameters
  }
}
