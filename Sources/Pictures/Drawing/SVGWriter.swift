/// Writes an SVG document: elements, attributes, text.
///
/// Source: SVG 1.1; XML 1.0, sections 2.2 and 2.4.
package struct SVGWriter: Sendable {
  package typealias Attributes = KeyValuePairs<String, String>

  package private(set) var text = ""

  /// Writes an element with the contents that `body` writes.
  package mutating func element(_ name: String, _ attributes: Attributes = [:], _ body: (inout SVGWriter) -> Void) {
    begin(name, attributes, ">\n")
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes an element without contents.
  package mutating func element(_ name: String, _ attributes: Attributes = [:]) { begin(name, attributes, "/>\n") }

  /// Writes an element that contains a text.
  package mutating func element(_ name: String, _ attributes: Attributes = [:], text contents: String) {
    begin(name, attributes, ">")
    text += Self.escaped(contents) + "</\(name)>\n"
  }

  /// Writes a path with a class; nothing if it is empty.
  package mutating func path(_ path: Path, class name: String) {
    if !path.isEmpty { element("path", ["class": name, "d": path.data]) }
  }

  /// Writes text at a position; `anchor` says which end of it is there: start, middle or end.
  package mutating func label(_ label: String, _ x: Double, _ y: Double, class name: String, anchor: String = "start") {
    let attributes: Attributes = [
      "class": name, "x": Path.number(x), "y": Path.number(y), "text-anchor": anchor,
    ]
    element("text", attributes, text: label)
  }

  private mutating func begin(_ name: String, _ attributes: Attributes, _ end: String) {
    text += "<" + name
    for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    text += end
  }

  /// Returns text as it is written in a document. Characters that XML cannot express become U+FFFD.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += " "
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
