import Engine

/// One independent job: what is read, and where its results go.
struct FileJob: Hashable, Sendable {
  /// Where the audio goes.
  enum Output: Hashable, Sendable {
    /// Nowhere: only the report is wanted.
    case none
    /// A WAV, streamed to stdout.
    case standardOutput
    case file(String, AudioContainer)
  }

  /// Nil where the speakers alone are the input.
  let input: InputSource?
  let output: Output
  /// Where the JSON report goes.
  let reportPath: String?
  /// Where tables go; the kind of table is set before the extension.
  let tablePath: String?
}

extension FileJob {
  /// The job as messages name it.
  var name: String { input?.name ?? "speakers" }

  /// The path that reports name; nil where no audio is written.
  var outputPath: String? {
    switch output {
    case .none: nil
    case .standardOutput: "-"
    case .file(let path, _): path
    }
  }
}
