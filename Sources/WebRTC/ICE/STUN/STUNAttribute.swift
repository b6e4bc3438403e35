/// Position of an attribute in a STUN message, checked against the message's length.
public struct STUNAttribute: Hashable, Sendable, BitwiseCopyable {
  /// Type of the attribute.
  public let type: STUNAttributeType
  /// Offset of the value.
  public let offset: Int
  /// Bytes of the value, without padding.
  public let byteCount: Int

  /// Offset behind the value and its padding to a multiple of 4 bytes.
  var end: Int { offset + (byteCount + 3) / 4 * 4 }
}
