/// Arguments as text. One that is not UTF-8 is repaired and marked with a zero, which no argument can hold: it may be
/// one input of many, and whatever else it was meant for, it would name something else.
package enum Argument {
  /// The words of a command line, without the program's name.
  package static func words(of argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32) -> [String] {
    // SAFETY: argv holds argc strings for as long as the process lives.
    (1..<max(1, Int(count))).compactMap { index in argv[index].map { word($0) } }
  }

  /// One argument, line or name, marked where it had to be repaired.
  package static func word(_ bytes: UnsafePointer<CChar>) -> String {
    String(validatingCString: bytes) ?? "\0" + String(cString: bytes)
  }

  /// The repaired text of an argument that is not UTF-8; nil where it is.
  package static func repaired(_ word: String) -> String? { word.hasPrefix("\0") ? String(word.dropFirst()) : nil }

  /// Throws: a usage failure where the word is not UTF-8.
  package static func check(_ word: String) throws(CommandFailure) {
    guard let text = repaired(word) else { return }
    throw .usage("the argument '\(text)' is not UTF-8; write it in UTF-8, and rename files whose names are not")
  }
}
