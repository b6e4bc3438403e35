/// Part of a token's text.
///
/// Source: RFC 7515, section 3.1.
public enum TokenPart: String, Hashable, Sendable, CaseIterable {
  /// Algorithm and key.
  case header
  /// Claims.
  case claims
  /// Authentication code.
  case signature

  /// Form of the part, for a sentence.
  var form: String {
    self == .signature ? "in base64url" : "a JSON object without duplicate keys in base64url"
  }
}
