import AudioFiles
import AudioGraph
import BatchProcessing
import CommandLineKit
import Effects
import Engine
import FrameObservers
import Glibc
import OfflineProcessing
import Platform
import SoundOptions

/// The work on one row of a manifest: a copy, tables, and a row of results. The same in every run.
///
/// Thread: any; several rows at once.
struct RowWork: Sendable {
  let options: BatchOptions
  let manifest: Manifest

  /// Does a row. An input that fails is a result, too.
  ///
  /// - Parameters:
  ///   - row: row of the manifest.
  ///   - progress: called now and then with the share that is done.
  /// - Throws: errors that do not come from the row, such as of a full disk.
  func result(of row: ManifestRow, progress: @escaping (Double) -> Void) throws -> ResultRow {
    var result = ResultRow(index: row.index, path: row.path)
    result.start = row.start
    let paths = try options.paths(of: row, in: manifest)
    do {
      try work(row, paths, &result, progress)
    } catch {
      guard RowFailure.isOfRow(error, input: manifest.path(of: row)) else { throw error }
      result = ResultRow(index: row.index, path: row.path)
      result.start = row.start
      result.error = shown(CommandFailure(file: error).sentence, row, paths)
    }
    return result
  }

  private func work(
    _ row: ManifestRow, _ paths: RowPaths, _ result: inout ResultRow, _ progress: @escaping (Double) -> Void
  ) throws {
    let input = manifest.path(of: row)
    try checkKind(of: input)
    try checkLengths(of: paths)
    for path in paths.all { try makeFolder(of: path) }
    let part = try row.start.map { try SoundPart(of: input, start: $0, duration: row.duration) }
    let source = part?.path ?? input
    var measured = source
    if let copy = paths.copy {
      let path = "\(options.folder)/\(copy)"
      try result.warnings += write(source, part?.sampleFormat, to: path, row) { progress($0 / 2) }
      measured = path
      result.output = copy
    }
    result.warnings += part?.warnings ?? []
    let measures = try FileMeasures(measured, options) { share in
      progress(paths.copy == nil ? share : 0.5 + share / 2)
    }
    result.warnings += measures.warnings
    var known: Set<String> = []
    // The row has the path already, and the copy may have the input's faults.
    result.warnings = result.warnings.map { warning in
      let text = shown(warning, row, paths, part?.path)
      return text.hasPrefix("\(row.path): ") ? String(text.dropFirst(row.path.count + 2)) : text
    }.filter { known.insert($0).inserted }
    measures.fill(&result)
    for (kind, path) in paths.tables {
      try ResultFile(path: "\(options.folder)/\(path)", mayReplace: true).writeLines(measures.table(kind))
    }
    var outputs = paths.all
    if let segments = paths.segments { outputs += try segments.write(measures.segments, of: measured) }
    // The row may outlive a crash of the machine, so its outputs have to.
    for path in outputs { try sync("\(options.folder)/\(path)") }
  }

  /// Writes the copy of a sound.
  ///
  /// - Returns: warnings about the input.
  private func write(
    _ source: String, _ sampleFormat: SampleFormat?, to path: String, _ row: ManifestRow,
    _ progress: (Double) -> Void
  ) throws -> [String] {
    guard let container = options.container ?? AudioContainer(path: path) else {
      throw CommandFailure(
        .usage, "\(row.path): cannot write a file of the kind of '\(fileName(of: path))'; use --format")
    }
    if FileIdentity(path: source) == FileIdentity(path: path) {
      throw CommandFailure(.usage, "\(row.path): the output would replace the input; use another --out-dir or --name")
    }
    var processing = try FileProcessing(
      FileJob(input: .file(source), output: .file(path, container), reportPath: nil, tablePath: nil),
      of: options.process)
    // Outputs from before were refused when the journal was begun.
    processing.overwrite = true
    if let gain = row.gain { processing.gain = Decibels(gain) }
    if let loudness = row.loudnessTarget {
      var target = processing.loudnessTarget ?? LoudnessTarget(integrated: nil)
      target.integrated = loudness
      processing.loudnessTarget = target
    }
    if let sampleFormat, processing.sampleFormat == nil, container.sampleFormats.contains(sampleFormat) {
      processing.sampleFormat = sampleFormat
    }
    // A signal lets the files that are begun finish.
    processing.isCancelled = { false }
    let result = try processing.prepare().run { seconds, total in
      if let total, total > 0 { progress(min(1, seconds / total)) }
    }
    return result.events.compactMap { event in
      if case .warning(let warning) = event.kind { warning.message } else { nil }
    }
  }

  /// Returns a text with the names of the manifest in place of this machine's paths.
  private func shown(_ text: String, _ row: ManifestRow, _ paths: RowPaths, _ part: String? = nil) -> String {
    var text = text
    for path in paths.all { text.replace("\(options.folder)/\(path)", with: path) }
    for path in [part, manifest.path(of: row)].compactMap(\.self) where path != row.path {
      text.replace(path, with: row.path)
    }
    return text
  }

  /// Checks that an input is a file: a pipe gives its sound to one run only, or never ends.
  private func checkKind(of path: String) throws {
    switch fileKind(of: path) {
    case S_IFREG, nil: break
    case S_IFDIR: throw AudioFileError(.isDirectory(isOutput: false), path: path)
    default:
      throw CommandFailure(
        .badData, "\(path): this is a pipe or a device, and a batch reads files; process takes pipes")
    }
  }

  /// Checks that the folder of outputs can have the names of a row, with the ending of a file that is not whole yet.
  private func checkLengths(of paths: RowPaths) throws(CommandFailure) {
    let most = pathconf(options.folder, Int32(_PC_NAME_MAX))
    guard most > 0 else { return }
    for path in paths.replaced {
      for name in path.utf8.split(separator: UInt8(ascii: "/")) where name.count + ".part".utf8.count > most {
        throw CommandFailure(
          .badData,
          "the name of its output has \(name.count) bytes, and \(most - 5) is the most here; rename the file, and use "
            + "another --out-dir")
      }
    }
  }

  /// Makes the folders of a name below the folder of outputs.
  private func makeFolder(of name: String) throws(CommandFailure) {
    var path = options.folder
    for component in name.split(separator: "/").dropLast() {
      path += "/\(component)"
      if mkdir(path, 0o777) != 0, errno != EEXIST {
        throw CommandFailure(sound: AudioFileError(.create(errno), path: path))
      }
    }
  }

  private func sync(_ path: String) throws(CommandFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure(sound: AudioFileError(.create(errno), path: path)) }
    defer { close(descriptor) }
    guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw CommandFailure(sound: AudioFileError(.write(errno), path: path))
    }
  }
}
