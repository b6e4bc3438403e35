import CommandLineKit

/// Arguments of `graph`: those of `process`, and the form of the graph that they would run.
struct GraphOptions: Hashable, Sendable {
  /// Form of the printed graph.
  enum Format: String, CaseIterable, Sendable {
    case text, dot, mermaid, json
  }

  let process: ProcessOptions
  let format: Format

  /// Reads the options of a command line.
  ///
  /// - Throws: as `ProcessOptions` does.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    let format = parsed.text("format").flatMap(Format.init(rawValue:))
    guard format == nil || format == .json || !parsed.has("json") else {
      throw .usage("--json and --format \(format?.rawValue ?? "") contradict each other; give one of them")
    }
    self.format = parsed.has("json") ? .json : format ?? .text
    process = try ProcessOptions(parsed, format: nil, writesAudio: false)
  }
}
