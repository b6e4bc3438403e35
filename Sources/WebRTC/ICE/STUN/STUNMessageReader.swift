/// View of a STUN message in a datagram: its header has been checked, and all attributes lie within it.
///
///     header 20 | attribute 4 + value + padding | ... | MESSAGE-INTEGRITY 24 | FINGERPRINT 8
///
/// It borrows the datagram and allocates nothing. Of several attributes of one type the first one counts.
///
/// Source: RFC 8489, sections 5, 6.3, 14 and 14.5 to 14.7.
public struct STUNMessageReader: ~Escapable {
  /// Size of the header in bytes.
  static let headerByteCount = 20
  /// Bits in every message that distinguish it from other protocols.
  static let cookie: UInt32 = 0x2112_A442
  /// Number of the only method of a connectivity check.
  static let bindingMethod: UInt16 = 1

  /// Class of the message.
  public let messageClass: STUNMessageClass
  /// Number of the method, 12 bits; 1 is a binding.
  public let method: UInt16
  /// Number that joins a request and its response.
  public let transactionID: STUNTransactionID
  /// Whether the message has a fingerprint; a wrong one is an error.
  public let hasFingerprint: Bool
  /// The datagram.
  let bytes: Span<UInt8>
  /// Offset of MESSAGE-INTEGRITY, with its header; nil without it.
  let integrityOffset: Int?
  /// End of the attributes that count: those behind the integrity code are not protected.
  private let end: Int

  /// Checks a datagram and finds its integrity code.
  ///
  /// - Throws: `STUNError`; the caller drops the datagram without an answer.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) throws(STUNError) {
    guard bytes.count >= Self.headerByteCount, bytes[0] & 0xC0 == 0 else { throw .header }
    guard bytes.number32(at: 4) == Self.cookie else { throw .cookie }
    let length = Int(bytes.number16(at: 2))
    guard length % 4 == 0, length == bytes.count - Self.headerByteCount else { throw .length }
    var offset = Self.headerByteCount
    var protectedEnd: Int?
    var integrity: Int?
    var fingerprint: Int?
    while offset < bytes.count {
      guard let attribute = Self.attribute(at: offset, in: bytes, end: bytes.count) else { throw .attribute }
      switch attribute.type {
      case .messageIntegrity where protectedEnd == nil:
        guard attribute.byteCount == 20 else { throw .attribute }
        integrity = offset
        protectedEnd = attribute.end
      case .messageIntegritySHA256 where protectedEnd == nil: protectedEnd = attribute.end
      case .fingerprint:
        guard attribute.byteCount == 4, attribute.end == bytes.count,
          bytes.number32(at: attribute.offset) == CRC32.checksum(bytes, count: offset) ^ Self.fingerprintMask
        else { throw .fingerprint }
        fingerprint = offset
      default: break
      }
      offset = attribute.end
    }
    let type = bytes.number16(at: 0)
    messageClass = STUNMessageClass(messageType: type)
    method = type & 0x000F | (type & 0x00E0) >> 1 | (type & 0x3E00) >> 2
    transactionID = STUNTransactionID(high: bytes.number32(at: 8), low: bytes.number64(at: 12))
    hasFingerprint = fingerprint != nil
    integrityOffset = integrity
    end = protectedEnd ?? fingerprint ?? bytes.count
    self.bytes = bytes
  }

  /// The fingerprint differs from the plain check by this number.
  static let fingerprintMask: UInt32 = 0x5354_554E

  /// Returns the attribute behind another one, or the first one; nil at the end.
  public func attribute(after previous: STUNAttribute?) -> STUNAttribute? {
    Self.attribute(at: previous?.end ?? Self.headerByteCount, in: bytes, end: end)
  }

  /// Returns the first attribute of a type.
  public func attribute(_ type: STUNAttributeType) -> STUNAttribute? {
    var next = attribute(after: nil)
    while let attribute = next, attribute.type != type { next = self.attribute(after: attribute) }
    return next
  }

  /// Returns the value of an attribute of this message.
  @_lifetime(copy self)
  public func value(of attribute: STUNAttribute) -> Span<UInt8> {
    bytes.extracting(attribute.offset..<(attribute.offset + attribute.byteCount))
  }

  private static func attribute(at offset: Int, in bytes: Span<UInt8>, end: Int) -> STUNAttribute? {
    guard offset >= headerByteCount, end <= bytes.count, end - offset >= 4 else { return nil }
    let attribute = STUNAttribute(
      type: STUNAttributeType(rawValue: bytes.number16(at: offset)), offset: offset + 4,
      byteCount: Int(bytes.number16(at: offset + 2)))
    return attribute.end <= end ? attribute : nil
  }
}
