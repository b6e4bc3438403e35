import Cryptography
import JSON
import Platform

/// Verifies tokens of one app. HS256 is the only algorithm; signatures are compared in constant time.
///
/// Thread: any. A token's claims are read after its signature is verified.
///
/// Source: RFC 7519, section 7.2; RFC 8725 for the choice of checks.
public struct TokenVerifier: Sendable {
  /// Maximum length of a token, in bytes.
  public static let maximumByteCount = 4_096

  private let secrets: [TokenSecret]

  /// Creates a verifier with the secrets of an app.
  ///
  /// - Parameters:
  ///   - secret: Current secret.
  ///   - other: Secret that is valid too while secrets are exchanged; nil without one.
  public init(_ secret: TokenSecret, _ other: TokenSecret? = nil) { secrets = [secret] + (other.map { [$0] } ?? []) }

  /// Returns the claims of a token that is valid now.
  ///
  /// - Parameters:
  ///   - text: Text of the token.
  ///   - app: App that the token must be for.
  ///   - now: Seconds since 1970 by the relay's clock. The leeway is 0.
  /// - Throws: The first refusal, with its number and its sentence.
  public func verify(_ text: String, app: AppID, now: Int64) throws(TokenError) -> Token {
    try verifyWithSecret(text, app: app, now: now).token
  }

  /// Returns the claims of a token that is valid now, and the secret that has signed it.
  ///
  /// - Throws: The first refusal, as `verify` does.
  package func verifyWithSecret(
    _ text: String, app: AppID, now: Int64
  ) throws(TokenError) -> (token: Token, secret: TokenSecret) {
    let parts = try Self.split(text)
    let header = try Self.object(parts[0], .header)
    guard header["alg"]?.name == "HS256" else { throw .algorithm }
    guard header["crit"] == nil else { throw .criticalExtension }
    let secret = try verifySignature(parts, keyID: header["kid"])
    let token = try TokenClaim.read(Self.object(parts[1], .claims))
    guard token.app == app else { throw .otherApp }
    guard now < token.expires else { throw .expired(at: token.expires, now: now) }
    if let start = token.notBefore, now < start { throw .notYetValid(from: start, now: now) }
    return (token, secret)
  }

  /// Whether the app still has a secret, which an earlier verifier may have had.
  package func has(_ secret: TokenSecret) -> Bool { secrets.contains { $0.hasSameBytes(as: secret) } }

  /// Returns the claims of a token without verifying anything: for people who look into one.
  ///
  /// - Throws: A refusal for text that is not a token.
  package static func unverifiedToken(in text: String) throws(TokenError) -> Token {
    try TokenClaim.read(object(split(text)[1], .claims))
  }

  /// Checks that a token is for a channel and a user.
  ///
  /// A token for uid 0 is for every uid and every account. Otherwise the user must be the token's, so a join with uid 0
  /// needs a token for uid 0.
  ///
  /// - Throws: `otherChannel`, `otherUser`.
  public static func check(_ token: Token, channel: ChannelName, user: UserIdentity) throws(TokenError) {
    if case .channel(let name) = token.scope, name != channel { throw .otherChannel(token.scope, requested: channel) }
    guard token.user == .uid(0) || token.user == user else { throw .otherUser(token.user, requested: user) }
  }

  /// Checks that a token allows a role. Profiles without roles do not need this check.
  ///
  /// - Throws: `role`; `hiddenPublisher` for a broadcaster with a token that has both rights.
  public static func check(_ token: Token, role: ClientRole) throws(TokenError) {
    guard token.role.allows(role) else { throw .role(token.role, requested: role) }
    if role == .broadcaster, token.rights.contains([.hidden, .publish]) { throw .hiddenPublisher }
  }

  /// Checks that a token grants all of these rights.
  ///
  /// - Throws: `rights`; `hiddenPublisher` for the right to publish of a hidden user.
  public static func check(_ token: Token, rights: TokenRights) throws(TokenError) {
    let missing = rights.subtracting(token.rights)
    guard missing.isEmpty else { throw .rights(missing: missing) }
    if rights.contains(.publish), token.rights.contains(.hidden) { throw .hiddenPublisher }
  }

  /// Checks that a token allows relaying the user's audio to a channel.
  ///
  /// - Throws: `relayDestination`.
  public static func check(_ token: Token, relayDestination: ChannelName) throws(TokenError) {
    guard token.relayDestinations.contains(relayDestination) else { throw .relayDestination(relayDestination) }
  }

  /// Returns the app that a token claims, to find the app's verifier. Nothing is verified.
  ///
  /// - Throws: `tooLong`, `parts`, `malformed`, `claim`.
  public static func claimedApp(in text: String) throws(TokenError) -> AppID {
    let claims = try object(split(text)[1], .claims)
    guard case .text(let name) = claims["app"], let app = AppID(name) else {
      throw .claim("app", expected: TokenClaim.app)
    }
    return app
  }

  /// Tries each secret that the key id allows. A token without a key id is tried against each secret.
  ///
  /// - Returns: The secret that has signed the token.
  private func verifySignature(_ parts: [Substring], keyID: JSONValue?) throws(TokenError) -> TokenSecret {
    var candidates = secrets
    if let keyID {
      guard case .text(let name) = keyID else { throw .unknownKeyID }
      candidates.removeAll { !$0.keyID.hasSameBytes(as: name) }
      guard !candidates.isEmpty else { throw .unknownKeyID }
    }
    guard let code = Base64URL.decode(parts[2]) else { throw .malformed(.signature) }
    let signed = parts[0] + "." + parts[1]
    let matches = candidates.filter { ConstantTime.areEqual($0.authenticationCode(of: signed).span, code.span) }
    guard let secret = matches.first else { throw .signature }
    return secret
  }

  private static func split(_ text: String) throws(TokenError) -> [Substring] {
    guard text.utf8.count <= maximumByteCount else { throw .tooLong(byteCount: text.utf8.count) }
    guard text.isASCII else { throw .parts }
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts }
    return parts
  }

  private static func object(_ text: Substring, _ part: TokenPart) throws(TokenError) -> JSONFields {
    guard let bytes = Base64URL.decode(text) else { throw .malformed(part) }
    guard case .object(let fields)? = try? JSONReader.read(bytes) else { throw .malformed(part) }
    return JSONFields(fields)
  }
}
