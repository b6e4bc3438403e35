/// Name of a channel.
///
/// Shape: 1...64 bytes out of letters, digits, space and `! # $ % & ( ) + - : ; < = . > ? @ [ ] ^ _ { } | ~ ,`.
public struct ChannelName: Hashable, Sendable, CustomStringConvertible {
  /// Maximum length in bytes.
  public static let maximumByteCount = 64

  /// Text of the name.
  public let text: String

  /// Creates a name from its text.
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
