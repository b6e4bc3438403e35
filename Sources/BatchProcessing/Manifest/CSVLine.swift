/// One line of a table with commas, semicolons or tabs between the cells.
///
/// Source: RFC 4180, without line breaks within a cell.
package enum CSVLine {
  /// Returns the cells of a line; nil if a quote has no end, or text follows it.
  package static func cells(_ line: String, separator: UInt8 = UInt8(ascii: ",")) -> [String]? {
    var cells: [String] = []
    var cell: [UInt8] = []
    var bytes = Array(line.utf8)[...]
    while true {
      if bytes.first == UInt8(ascii: "\"") {
        bytes.removeFirst()
        while true {
          guard let byte = bytes.popFirst() else { return nil }
          if byte != UInt8(ascii: "\"") {
            cell.append(byte)
          } else if bytes.first == byte {
            cell.append(byte)
            bytes.removeFirst()
          } else {
            break
          }
        }
        guard bytes.isEmpty || bytes.first == separator else { return nil }
      } else {
        let end = bytes.firstIndex(of: separator) ?? bytes.endIndex
        cell += bytes[..<end]
        bytes = bytes[end...]
      }
      cells.append(String(decoding: cell, as: UTF8.self))
      cell.removeAll(keepingCapacity: true)
      guard bytes.popFirst() != nil else { return cells }
    }
  }

  /// Returns a cell without the spaces around it.
  static func trimmed(_ cell: String) -> String {
    String(cell.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  /// Returns a cell as a table has it: in quotes only if needed.
  package static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
    var quoted = "\""
    for character in text.unicodeScalars {
      if character == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}
