/// Arguments as text.
///
/// An argument that is not UTF-8 is repaired and marked with a zero, which no argument can contain. It may be one input
/// of many; for any other use, the repaired text would name something else.
package enum Argument {
  /// Returns the words of a command line, without the program's name.
  package static func words(of argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32) -> [String] {
    // SAFETY: argv holds argc strings for as long as the process lives.
    (1..<max(1, Int(count))).compactMap { index in argv[index].map { word($0) } }
  }

  /// Returns one argument, line or name, with a mark if it had to be repaired.
  package static func word(_ bytes: UnsafePointer<CChar>) -> String {
    String(validatingCString: bytes) ?? "\0" + String(cString: bytes)
  }

  /// Returns the repaired text of an argument that is not UTF-8; nil for one that is.
  package static func repaired(_ word: String) -> String? { word.hasPrefix("\0") ? String(word.dropFirst()) : nil }

  /// Checks that a word is UTF-8.
  ///
  /// - Throws: a usage failure if it is not.
  package static func check(_ word: String) throws(CommandFailure) {
    guard let text = repaired(word) else { return }
    throw .usage("the argument '\(text)' is not UTF-8; write it in UTF-8, and rename files whose names are not")
  }
}
