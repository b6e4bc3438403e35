/// Names of a row's results below the folder of outputs.
struct RowPaths: Sendable {
  /// Name of the copy; nil without one.
  let copy: String?
  let tables: [(kind: AnalysisKind, path: String)]
  /// Segments of speech; nil without them.
  let segments: SegmentFiles?

  /// Names that are known before the work.
  var all: [String] { [copy, segments?.list].compactMap(\.self) + tables.map(\.path) }

  /// Names that are written, and folders whose files are replaced.
  var replaced: [String] { all + [segments?.folder].compactMap(\.self) }
}
