import Cryptography
import Signalling

/// Makes tokens out of any text, apart from the signer under test.
enum Forge {
  static let app = AppID("demo")!
  static let secretText = "0123456789abcdef0123456789abcdef"
  /// In the middle of the standard claims' validity.
  static let now: Int64 = 1_800_000_000
  static let header = #"{"alg":"HS256","typ":"JWT"}"#
  static let claims =
    #"{"app":"demo","channel":"lobby","uid":7,"role":"broadcaster","nbf":1799999000,"exp":1800001000,"jti":"a1"}"#

  static func secret(_ text: String = secretText, keyID: String = "k1") throws -> TokenSecret {
    try TokenSecret(keyID: keyID, bytes: Array(text.utf8).span)
  }

  static func verifier() throws -> TokenVerifier { TokenVerifier(try secret()) }

  static func token(header: String = header, claims: String = claims, key: String = secretText) -> String {
    let signed = encode(header) + "." + encode(claims)
    let code = MessageDigest.sha256.authenticationCode(of: Array(signed.utf8).span, key: Array(key.utf8).span)
    return signed + "." + Base64URL.encode(code.span)
  }

  /// Standard claims with one text replaced, or an end in front of their brace.
  static func claims(_ old: String, _ new: String) -> String {
    var text = claims
    guard let range = text.ranges(of: old).first else { preconditionFailure("the claims do not have '\(old)'") }
    text.replaceSubrange(range, with: new)
    return text
  }

  static func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8).span) }
}
