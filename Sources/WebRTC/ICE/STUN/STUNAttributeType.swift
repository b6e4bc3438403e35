/// Number of a STUN attribute.
///
/// Source: RFC 8489, section 14; RFC 8445, section 16.1.
public struct STUNAttributeType: Hashable, Sendable, BitwiseCopyable {
  /// The number on the wire.
  public let rawValue: UInt16

  /// Creates the type of a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  static let username = STUNAttributeType(rawValue: 0x0006)
  static let messageIntegrity = STUNAttributeType(rawValue: 0x0008)
  static let errorCode = STUNAttributeType(rawValue: 0x0009)
  static let unknownAttributes = STUNAttributeType(rawValue: 0x000A)
  static let messageIntegritySHA256 = STUNAttributeType(rawValue: 0x001C)
  static let xorMappedAddress = STUNAttributeType(rawValue: 0x0020)
  static let priority = STUNAttributeType(rawValue: 0x0024)
  static let useCandidate = STUNAttributeType(rawValue: 0x0025)
  static let fingerprint = STUNAttributeType(rawValue: 0x8028)
  static let iceControlled = STUNAttributeType(rawValue: 0x8029)
  static let iceControlling = STUNAttributeType(rawValue: 0x802A)

  /// Whether a receiver that does not know the attribute must refuse the message.
  public var isComprehensionRequired: Bool { rawValue < 0x8000 }

  /// Whether RFC 8489 or RFC 8445 defines the attribute, so that it needs no refusal.
  public var isKnown: Bool {
    switch rawValue {
    // MAPPED-ADDRESS, REALM and NONCE, USERHASH and the algorithms have no effect on a connectivity check.
    case 0x0001, 0x0014, 0x0015, 0x001D, 0x001E, 0x8002, 0x8003, 0x8022, 0x8023: true
    default:
      switch self {
      case .username, .messageIntegrity, .errorCode, .unknownAttributes, .messageIntegritySHA256, .xorMappedAddress,
        .priority, .useCandidate, .fingerprint, .iceControlled, .iceControlling:
        true
      default: false
      }
    }
  }
}
