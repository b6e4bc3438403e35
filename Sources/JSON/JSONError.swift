/// Why a text cannot be read as JSON, with the line.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  package let message: String

  package var description: String { message }
}
