/// Form of a table of results.
public enum TableFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON object a line.
  case jsonLines = "jsonl"
  /// A header, then a line with commas for each row.
  case csv

  /// Returns the lines of a table.
  ///
  /// - Parameter rows: Rows as JSON, in their order, as `Journal.lines` has them.
  public func lines(_ rows: some Sequence<String>) -> AnySequence<String> {
    switch self {
    case .jsonLines: AnySequence(rows)
    case .csv:
      AnySequence {
        var header: String? = ResultRow.csvHeader
        var rows = rows.makeIterator()
        return AnyIterator {
          if let line = header.take() { return line }
          return rows.next().map { ResultRow.csv(of: $0) ?? "" }
        }
      }
    }
  }
}
