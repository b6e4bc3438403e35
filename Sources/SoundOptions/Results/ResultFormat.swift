/// Form of a result on stdout.
package enum ResultFormat: Hashable, Sendable {
  /// Text for people.
  case text
  /// One JSON object.
  case json
  /// One JSON object a line, while the job runs.
  case jsonLines
}
