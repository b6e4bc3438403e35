import AudioFiles
import CommandLineKit
import Engine
import SoundOptions

/// One independent job: its input, and the paths of its results.
struct FileJob: Hashable, Sendable {
  /// Destination of the audio.
  enum Output: Hashable, Sendable {
    /// No audio: only the report is wanted.
    case none
    /// A WAV, streamed to stdout.
    case standardOutput
    case file(String, AudioContainer)
  }

  /// Input of the job; nil if it has only speakers.
  let input: InputSource?
  let output: Output
  /// Path of the JSON report.
  let reportPath: String?
  /// Path of the tables; each table has its kind before the extension.
  let tablePath: String?
  /// Path of the picture of the output.
  var picturePath: String?
  /// Failure of this job alone, which it reports at its turn.
  var refusal: CommandFailure?
}

extension FileJob {
  /// Name of the job in messages.
  var name: String { input?.name ?? "speakers" }

  /// Container of the output file; nil without audio.
  var container: AudioContainer? {
    switch output {
    case .none: nil
    case .standardOutput: .wav
    case .file(_, let container): container
    }
  }

  /// Path of the output file; nil if there is none.
  var filePath: String? { if case .file(let path, _) = output { path } else { nil } }

  /// Tables to write.
  var tables: [(kind: AnalysisKind, path: String)] {
    guard let tablePath else { return [] }
    return AnalysisKind.allCases.map { ($0, JobPlanner.tagged(tablePath, with: $0.rawValue)) }
  }

  /// Name of the output in messages.
  var outputText: String {
    switch output {
    case .none: "no output"
    case .standardOutput: "stdout"
    case .file(let path, _): path
    }
  }

  /// Path of the output in reports; nil without audio.
  var outputPath: String? {
    switch output {
    case .none: nil
    case .standardOutput: "-"
    case .file(let path, _): path
    }
  }
}
