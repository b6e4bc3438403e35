import AudioFiles
import BatchProcessing
import CommandLineKit
import Engine
import SoundOptions

/// Arguments of `batch`, typed and checked.
struct BatchOptions: Sendable {
  /// Work of a call.
  enum Action: Hashable, Sendable {
    case run
    case plan
    case merge
  }

  let common: CommonOptions
  let action: Action
  let manifest: String
  let folder: String
  let shard: ShardChoice
  /// Value of `--shards`.
  let shardCount: Int?
  let jobCount: Int
  let retriesFailed: Bool
  let overwrites: Bool
  let name: NameTemplate
  /// Options of a copy; each row has its own paths.
  let process: ProcessOptions
  /// Kind of the copies; nil for that of each input.
  let container: AudioContainer?
  /// Whether each row has a copy.
  let copies: Bool
  let kinds: [AnalysisKind]
  let writesTables: Bool
  let writesSegments: Bool
  /// Span of one row of a table, in milliseconds.
  let interval: Int
  let tableFormat: TableFormat
  let resultFormat: ResultFormat
  let progress: ProgressMode
  /// Options that determine the results, as on a command line.
  let work: String

  /// Reads and checks the options.
  ///
  /// - Throws: `CommandFailure` and `BatchError` for a wrong command line.
  init(_ parsed: ParsedArguments, environment: (String) -> String?) throws {
    common = try CommonOptions(parsed)
    manifest = parsed.operands.first ?? "-"
    guard let folder = parsed.text("out-dir") else {
      throw CommandFailure.usage("batch needs a folder for its results; add --out-dir DIR")
    }
    self.folder = folder
    try Self.checkContradictions(parsed)
    action = parsed.has("merge") ? .merge : parsed.has("dry-run") ? .plan : .run
    shardCount = parsed.integer("shards")
    shard =
      action == .merge
      ? try ShardChoice(option: "1/1", count: nil, environment: { _ in nil })
      : try ShardChoice(option: parsed.text("shard"), count: shardCount, environment: environment)
    jobCount = JobCount.of(parsed)
    retriesFailed = parsed.has("retry-failed")
    overwrites = parsed.has("overwrite")
    name = try NameTemplate(option: parsed.text("name") ?? NameTemplate.standard)
    container = parsed.text("format").flatMap(AudioContainer.init(rawValue:))
    _ = try VoicePitch(parsed, named: BatchDeclaration.voicePitch)
    let names = BatchDeclaration.processNames.map { (own: $0, other: $0) }
    let changes = names + [(own: BatchDeclaration.voicePitch, other: "pitch")]
    // Paths are those of each row.
    var arguments = parsed.passing(changes, to: ProcessDeclaration.process, operands: ["-"])
    arguments.append(.text(folder), to: ProcessDeclaration.process.option(named: "out-dir")!)
    process = try ProcessOptions(arguments)
    copies = parsed.has("copy") || changes.contains { parsed.has($0.own) }
    let kinds = AnalysisKind.allCases.filter { parsed.has($0.rawValue) }
    self.kinds = kinds.isEmpty && !copies ? AnalysisKind.allCases : kinds
    writesTables = parsed.has("tables")
    writesSegments = parsed.has("segments")
    guard !writesTables || !self.kinds.isEmpty else {
      throw CommandFailure.usage("--tables has no measurement to write; add --volume, --pitch or --loudness")
    }
    interval = parsed.integer("interval") ?? 200
    guard interval % 10 == 0 else {
      throw CommandFailure.usage(
        "--interval \(interval) is not a multiple of a frame's 10 ms; use \(interval / 10 * 10 + 10)")
    }
    try parsed.check("interval", actsOn: ["tables"], lacking: "no table with rows of that span")
    tableFormat = parsed.text("results").flatMap(TableFormat.init(rawValue:)) ?? .jsonLines
    resultFormat = parsed.has("json") ? .json : parsed.has("json-lines") ? .jsonLines : .text
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    work = parsed.text(of: BatchDeclaration.workNames)
  }

  private static func checkContradictions(_ parsed: ParsedArguments) throws(CommandFailure) {
    let pairs = [
      ("json", "json-lines"), ("merge", "dry-run"), ("merge", "shard"), ("merge", "retry-failed"),
      ("merge", "overwrite"),
      ("merge", "json"), ("merge", "json-lines"), ("merge", "jobs"), ("dry-run", "json-lines"),
    ]
    for (one, other) in pairs where parsed.has(one) && parsed.has(other) {
      throw .usage("--\(one) and --\(other) contradict each other; give one of them")
    }
  }

  /// Whether rows have results beside the copy, named after it.
  var writesBeside: Bool { writesTables || writesSegments }

  /// Whether rows have files of their own in the folder, beside the table.
  func writesFiles(of manifest: Manifest) -> Bool { copies || writesBeside || manifest.hasLevels }

  /// Returns the name of a row's output below the folder.
  ///
  /// - Throws: as `NameTemplate.name`.
  func outputName(of row: ManifestRow, in manifest: Manifest) throws(BatchError) -> OutputName {
    try name.name(of: row, in: manifest, fileExtension: container?.rawValue)
  }

  /// Returns whether a row has a copy.
  func copies(_ row: ManifestRow) -> Bool { copies || row.changesLevel }

  /// Returns the paths of a row's results.
  ///
  /// - Throws: as `NameTemplate.name`.
  func paths(of row: ManifestRow, in manifest: Manifest) throws(BatchError) -> RowPaths {
    let name = try outputName(of: row, in: manifest)
    return RowPaths(
      copy: copies(row) ? name.path : nil,
      tables: writesTables ? kinds.map { ($0, "\(name.stem).\($0.rawValue).csv") } : [],
      segments: writesSegments ? SegmentFiles(outputs: folder, stem: name.stem) : nil)
  }
}
