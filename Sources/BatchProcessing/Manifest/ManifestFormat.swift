/// Form of a manifest.
package enum ManifestFormat: Hashable, Sendable {
  /// One JSON object a line.
  case jsonLines
  /// A table with a header, which names the column of each cell; nil for columns without a meaning here.
  case csv([ManifestKey?])
  /// One path a line.
  case list

  /// Returns the form of a manifest by its first line that is not empty.
  ///
  /// - Parameters:
  ///   - firstLine: line without its end.
  ///   - name: path of the manifest; the extension `.csv` means a table.
  static func of(_ firstLine: String, name: String) -> ManifestFormat {
    if firstLine.drop(while: \.isWhitespace).hasPrefix("{") { return .jsonLines }
    let cells = CSVLine.cells(firstLine) ?? []
    let columns = cells.map { cell in
      ManifestKey(rawValue: String(cell.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
    }
    let hasPath = columns.contains(.path) || columns.contains(.audioPath)
    return hasPath || name.hasSuffix(".csv") ? .csv(columns) : .list
  }
}
