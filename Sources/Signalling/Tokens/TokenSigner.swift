import Cryptography
import JSON

/// Signs tokens with a secret of an app.
///
/// Thread: any.
public struct TokenSigner: Sendable {
  private let secret: TokenSecret

  /// Creates a signer.
  public init(_ secret: TokenSecret) { self.secret = secret }

  /// Returns the text of a token: a JWT in HS256, with the secret's key id in its header.
  ///
  /// Source: RFC 7519; RFC 7515, section 7.1.
  public func sign(_ token: Token) -> String {
    var header = JSONWriter()
    header.object {
      $0.field("alg", "HS256")
      $0.field("typ", "JWT")
      $0.field("kid", secret.keyID)
    }
    var claims = JSONWriter()
    claims.object { TokenClaim.write(token, to: &$0) }
    let signed = Self.encode(header) + "." + Self.encode(claims)
    return signed + "." + Base64URL.encode(secret.authenticationCode(of: signed).span)
  }

  private static func encode(_ json: JSONWriter) -> String { Base64URL.encode(Array(json.text.utf8).span) }
}
