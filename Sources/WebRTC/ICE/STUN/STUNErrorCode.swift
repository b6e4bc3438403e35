/// Code of an error response to an authentic connectivity check. Other checks have no response, so 401 is missing.
///
/// Source: RFC 8489, section 14.8; RFC 8445, section 16.2.
public enum STUNErrorCode: UInt16, Sendable, BitwiseCopyable {
  /// An attribute has a wrong size, or two exclude each other.
  case badRequest = 400
  /// A required attribute is unknown; UNKNOWN-ATTRIBUTES names it.
  case unknownAttribute = 420
  /// Both agents have the same role.
  case roleConflict = 487

  /// Text that RFC 8489 recommends.
  var reason: StaticString {
    switch self {
    case .badRequest: "Bad Request"
    case .unknownAttribute: "Unknown Attribute"
    case .roleConflict: "Role Conflict"
    }
  }
}
