import AudioFiles
import CommandLineKit
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
  /// Where the tables go, each with its kind set before the extension.
  let tablePath: String?
  /// Where the picture of the output goes.
  var picturePath: String?
  /// Why it fails by itself when its turn comes, beside others that do not.
  var refusal: CommandFailure?
}

extension FileJob {
  /// The job as messages name it.
  var name: String { input?.name ?? "speakers" }

  /// The kind of file that the audio becomes; nil where none is written.
  var container: AudioContainer? {
    switch output {
    case .none: nil
    case .standardOutput: .wav
    case .file(_, let container): container
    }
  }

  /// The path of the output file; nil where there is none.
  var filePath: String? { if case .file(let path, _) = output { path } else { nil } }

  /// The tables that are written.
  var tables: [(kind: AnalysisKind, path: String)] {
    guard let tablePath else { return [] }
    return AnalysisKind.allCases.map { ($0, JobPlanner.tagged(tablePath, with: $0.rawValue)) }
  }

  /// The output as messages name it.
  var outputText: String {
    switch output {
    case .none: "no output"
    case .standardOutput: "stdout"
    case .file(let path, _): path
    }
  }

  /// The path that reports name; nil where no audio is written.
  var outputPath: String? {
    switch output {
    case .none: nil
    case .standardOutput: "-"
    case .file(let path, _): path
    }
  }
}
