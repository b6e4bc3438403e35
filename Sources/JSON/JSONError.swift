/// Fault of a text that cannot be read as JSON, with the line.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// One sentence: the fault and its line. It may quote the document.
  package let message: String
  /// The sentence without text of the document, which may be secret or long.
  package let messageWithoutText: String

  init(_ message: String, withoutText: String? = nil) {
    self.message = message
    messageWithoutText = withoutText ?? message
  }

  package var description: String { message }
}
