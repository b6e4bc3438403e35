/// Text that grants access, such as a token. Printing it, or a value that holds it, does not show the text.
public struct SecretText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Secret itself.
  public let text: String

  /// Creates a secret from its text.
  public init(_ text: String) { self.text = text }

  public var description: String { "(not shown)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
