/// Identifier of an app; users of different apps never hear each other.
///
/// Shape: 1...64 bytes out of letters, digits, space and `! # $ % & ( ) + - : ; < = . > ? @ [ ] ^ _ { } | ~ ,`.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
  /// Maximum length in bytes.
  public static let maximumByteCount = 64

  /// Text of the identifier.
  public let text: String

  /// Creates an identifier from its text.
  ///
  /// - Returns: Nil for an empty or longer text, or another character.
  public init?(_ text: String) {
    guard NameCharacters.areValid(text, lengths: 1...Self.maximumByteCount) else { return nil }
    self.text = text
  }

  public var description: String { text }

  /// The rule, as the end of a sentence.
  package static let rule = NameCharacters.rule(maximum: maximumByteCount)

  /// The fault of a text, as a clause.
  package static func fault(in text: String) -> String { NameCharacters.fault(in: text, maximum: maximumByteCount) }
}
