/// Form of messages.
package enum LogFormat: String, CaseIterable, Sendable {
  /// `audiopipe: warning: ...`
  case text
  /// One JSON object a line: `time`, `level`, `message`.
  case json
}
