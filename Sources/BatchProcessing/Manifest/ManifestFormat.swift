/// Form of a manifest.
package enum ManifestFormat: Hashable, Sendable {
  /// One JSON object a line.
  case jsonLines
  /// A table with a header, which names the column of each cell; nil for columns without a meaning here.
  case csv([ManifestKey?], separator: UInt8 = UInt8(ascii: ","))
  /// One path a line.
  case list

  /// Returns the form of a manifest by its first line that is not empty.
  ///
  /// A line with a separator and the name of a column is a header, in any case of letters: a path is hardly called so.
  ///
  /// - Parameters:
  ///   - firstLine: line without its end.
  ///   - name: path of the manifest; the extensions `.csv` and `.tsv` mean a table.
  static func of(_ firstLine: String, name: String) -> ManifestFormat {
    if firstLine.drop(while: \.isWhitespace).hasPrefix("{") { return .jsonLines }
    let tables = [",", ";", "\t"].map { separator in
      (separator: separator.utf8.first!, columns: columns(firstLine, separator.utf8.first!))
    }
    if let table = tables.first(where: { $0.columns.count > 1 && $0.columns.contains { $0 != nil } }) {
      return .csv(table.columns, separator: table.separator)
    }
    let isPath = [.path, .audioPath].contains(tables[0].columns.first)
    guard isPath || name.hasSuffix(".csv") || name.hasSuffix(".tsv") else { return .list }
    let table = tables[name.hasSuffix(".tsv") ? 2 : 0]
    return .csv(table.columns, separator: table.separator)
  }

  private static func columns(_ line: String, _ separator: UInt8) -> [ManifestKey?] {
    (CSVLine.cells(line, separator: separator) ?? []).map {
      ManifestKey(rawValue: CSVLine.trimmed($0).lowercased())
    }
  }
}
