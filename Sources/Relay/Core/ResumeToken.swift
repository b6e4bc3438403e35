import Cryptography
import Platform
import Signalling

/// Proof of an earlier session, signed by the relay, with which a client takes the session up again.
///
///     session '.' end in milliseconds '.' code
///
/// The code covers the app and the user, too, which the text does not show.
struct ResumeToken {
  let session: String
  let endMilliseconds: Int64

  /// Returns the text.
  func text(app: AppID, user: UserIdentity?, key: [UInt8]) -> SecretText {
    SecretText("\(session).\(endMilliseconds).\(Base64URL.encode(code(app, user, key).span))")
  }

  /// Reads a text; nil for a text with another app, user or key, and for an outdated one.
  init?(reading text: SecretText, app: AppID, user: UserIdentity?, key: [UInt8], nowMilliseconds: Int64) {
    guard text.text.isASCII else { return nil }
    let parts = text.text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let end = Int64(parts[1]), end > nowMilliseconds, let code = Base64URL.decode(parts[2])
    else { return nil }
    session = String(parts[0])
    endMilliseconds = end
    guard ConstantTime.areEqual(code.span, self.code(app, user, key).span) else { return nil }
  }

  init(session: String, endMilliseconds: Int64) {
    self.session = session
    self.endMilliseconds = endMilliseconds
  }

  private func code(_ app: AppID, _ user: UserIdentity?, _ key: [UInt8]) -> [UInt8] {
    // The parts have no zero byte, so that no two contents have one text.
    let text = "resume\0\(session)\0\(endMilliseconds)\0\(app)\0\(user?.description ?? "")"
    return MessageDigest.sha256.authenticationCode(of: Array(text.utf8).span, key: key.span)
  }
}
