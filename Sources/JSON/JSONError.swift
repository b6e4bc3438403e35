/// Fault of a text that cannot be read as JSON, with the line.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// One sentence: the fault and its line.
  package let message: String

  package var description: String { message }
}
