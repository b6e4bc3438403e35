/// Code of an error response to a connectivity check.
///
/// Source: RFC 8489, section 14.8; RFC 8445, section 16.2.
public enum STUNErrorCode: UInt16, Sendable, BitwiseCopyable {
  case badRequest = 400
  case unauthenticated = 401
  case unknownAttribute = 420
  case roleConflict = 487

  /// Text that RFC 8489 recommends.
  var reason: StaticString {
    switch self {
    case .badRequest: "Bad Request"
    case .unauthenticated: "Unauthenticated"
    case .unknownAttribute: "Unknown Attribute"
    case .roleConflict: "Role Conflict"
    }
  }
}
