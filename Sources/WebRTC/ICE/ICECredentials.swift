internal import Cryptography

/// Name and password with which one agent's connectivity checks are authenticated.
///
/// The description shows the name only.
///
/// Source: RFC 8445, section 5.3; RFC 8839, section 5.4.
public struct ICECredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Name of 4 to 256 letters, digits, `+` and `/`; SDP's `a=ice-ufrag`.
  public let fragment: String
  /// Secret of 22 to 256 such characters; SDP's `a=ice-pwd`.
  public let password: String

  /// Creates credentials from SDP; nil if a text is too short, too long, or has other characters.
  public init?(fragment: some StringProtocol, password: some StringProtocol) {
    guard Self.isText(fragment, of: 4...256), Self.isText(password, of: 22...256) else { return nil }
    self.fragment = String(fragment)
    self.password = String(password)
  }

  /// Creates random credentials: 48 bits of name, so that a relay can find a session by it, and 144 bits of password.
  public init() {
    fragment = Self.randomText(8)
    password = Self.randomText(24)
  }

  public var description: String { "\(fragment) (password not shown)" }

  public var customMirror: Mirror { Mirror(self, children: ["fragment": fragment]) }

  private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func randomText(_ count: Int) -> String {
    String(decoding: SecureRandom.bytes(count).map { characters[Int($0 & 63)] }, as: UTF8.self)
  }

  /// Returns whether a text consists of ICE's characters only.
  static func isText(_ text: some StringProtocol, of counts: ClosedRange<Int>) -> Bool {
    counts.contains(text.utf8.count) && text.utf8.allSatisfy { characters.contains($0) }
  }
}
