/// Breaks text at spaces, so that only a single long word can exceed the width.
package enum TextWrapper {
  /// Returns the lines of a text.
  package static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Returns a paragraph, each line behind `indentation` spaces.
  package static func paragraph(_ text: String, indentation: Int, width: Int) -> String {
    let margin = String(repeating: " ", count: indentation)
    return wrap(text, width: width - indentation).map { margin + $0 + "\n" }.joined()
  }

  /// Returns a term with its meaning beside it, or below it if the term is too long for its column.
  package static func definition(_ term: String, _ text: String, column: Int, width: Int) -> String {
    let margin = String(repeating: " ", count: column)
    let lines = wrap(text, width: width - column).map { margin + $0 + "\n" }.joined()
    guard term.count + 1 <= column else { return term + "\n" + lines }
    return term + lines.dropFirst(term.count)
  }
}
