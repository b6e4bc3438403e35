import AudioFiles
import CommandLineKit
import Engine
import SoundOptions

/// Arguments of `analyze`, typed and checked.
struct AnalyzeOptions: Hashable, Sendable {
  /// One input.
  struct Job: Hashable, Sendable {
    let input: InputSource
    /// Paths of the tables by kind; empty without tables, or if stdout has them.
    let tables: [AnalysisKind: String]
    /// Path of the picture; nil without one.
    let picturePath: String?
  }

  let common: CommonOptions
  let jobs: [Job]
  let jobCount: Int
  let kinds: [AnalysisKind]
  /// Span of one row, in milliseconds.
  let interval: Int
  /// Format of stdin if it has no header.
  let rawInput: RawFormat?
  /// Whether the table goes to stdout.
  let printsTable: Bool
  let printsJSON: Bool
  let picture: PictureOptions?
  let overwrites: Bool
  let progress: ProgressMode

  /// Expands the inputs, which looks at the disk, and checks the combination of options.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65 and 66 as `InputExpansion` does.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    common = try CommonOptions(parsed)
    rawInput = try RawFormat.option(of: parsed)
    picture = try PictureOptions(parsed)
    var kinds = AnalysisKind.allCases.filter { parsed.has($0.rawValue) }
    // Without any option there is a summary of everything.
    if kinds.isEmpty, picture == nil, !parsed.has("csv") { kinds = AnalysisKind.allCases }
    self.kinds = kinds
    let names = AnalysisKind.allCases.map { "--\($0.rawValue)" }.joined(separator: " or ")
    guard !kinds.isEmpty || !parsed.has("csv") else { throw .usage("--csv has no table to write; add \(names)") }
    interval = parsed.integer("interval") ?? 200
    guard interval % 10 == 0 else {
      throw .usage("--interval \(interval) is not a multiple of a frame's 10 ms; use \(interval / 10 * 10 + 10)")
    }
    guard !parsed.has("interval") || kinds != [.pitch] || picture != nil else {
      throw .usage("--interval is of --volume and --loudness; a table of the pitch has a row every 10 ms")
    }
    printsTable = parsed.text("csv") == "-"
    printsJSON = parsed.has("json")
    jobCount = JobCount.of(parsed)
    overwrites = parsed.has("overwrite")
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    let inputs = try InputExpansion.expand(parsed.operands)
    try rawInput?.check(inputs: inputs)
    if printsTable {
      guard !printsJSON else { throw .usage("--csv - and --json would both write to stdout; name a file for one") }
      guard inputs.count == 1, kinds.count == 1 else {
        throw .usage("--csv - writes one table to stdout, and there would be several; name a file")
      }
    }
    let table = printsTable ? nil : parsed.text("csv")
    let picturePath = picture?.path
    jobs = inputs.map { input in
      // It fails by itself; the name of its results might be that of another input.
      if case .notUTF8 = input { return Job(input: input, tables: [:], picturePath: nil) }
      func own(_ path: String) -> String {
        inputs.count > 1 ? JobPlanner.tagged(path, with: fileName(of: input.name)) : path
      }
      let tables = table.map(own).map { path in
        kinds.map { ($0, kinds.count > 1 ? JobPlanner.tagged(path, with: $0.rawValue) : path) }
      }
      return Job(
        input: input, tables: Dictionary(uniqueKeysWithValues: tables ?? []), picturePath: picturePath.map(own))
    }
    try checkPaths(lists: InputExpansion.lists(of: parsed.operands))
  }

  private func checkPaths(lists: [String]) throws(CommandFailure) {
    var claims = OutputConflicts(advice: "analyze them one by one")
    for job in jobs { claims.reads(job.input) }
    for path in lists { claims.reads(path, as: "list of inputs") }
    for job in jobs {
      for kind in kinds {
        if let path = job.tables[kind] { try claims.writes(path, as: "table", of: job.input.name) }
      }
      if let path = job.picturePath { try claims.writes(path, as: "picture", of: job.input.name) }
    }
  }
}
