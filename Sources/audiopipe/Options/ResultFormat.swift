/// How a result goes to stdout.
enum ResultFormat: Hashable, Sendable {
  /// For people.
  case text
  /// One object.
  case json
  /// One object a line, while the job runs.
  case jsonLines
}
