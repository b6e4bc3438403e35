/// Names of a row's results below the folder of outputs.
struct RowPaths: Sendable {
  /// Name of the copy; nil without one.
  let copy: String?
  let tables: [(kind: AnalysisKind, path: String)]

  /// All names.
  var all: [String] { [copy].compactMap(\.self) + tables.map(\.path) }
}
