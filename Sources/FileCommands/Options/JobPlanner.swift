import AudioFiles
import CommandLineKit
import Engine
import Glibc
import SoundOptions

/// Plans the jobs of a command line, and refuses impossible ones.
struct JobPlanner {
  let inputs: [InputSource]
  /// Whether there are speakers, so that there may be no input.
  let hasSpeakers: Bool
  let output: String?
  let outputFolder: String?
  let format: AudioContainer?
  let report: String?
  let table: String?
  let picture: String?
  /// Whether sound is all that the command could give: then a job without an output is a mistake.
  let isForSoundAlone: Bool

  /// Returns one job for each input.
  ///
  /// - Throws: a usage failure, one sentence; 73 if the output is a folder.
  func jobs() throws(CommandFailure) -> [FileJob] {
    guard !inputs.isEmpty || hasSpeakers else {
      throw .usage("there is nothing to process; name an input file, or '-' for stdin")
    }
    guard output == nil || outputFolder == nil else {
      throw .usage(
        "-o and --out-dir cannot be used together; -o names one output, --out-dir the folder of many")
    }
    guard inputs.count <= 1 || output == nil || outputFolder != nil else {
      throw .usage("\(inputs.count) inputs need a folder for their outputs; use --out-dir DIR")
    }
    guard !inputs.isEmpty || outputFolder == nil else {
      throw .usage("--out-dir needs an input file that gives the output its name; use -o with --user alone")
    }
    if let meant = outputWithoutOption {
      throw .usage("\(meant): there is no such input; if it is the output, write -o \(meant)")
    }
    guard format == nil || output != nil || outputFolder != nil else {
      throw .usage("--format has no output to apply to; add -o OUT or --out-dir DIR")
    }
    var jobs: [FileJob] = []
    if inputs.isEmpty {
      jobs.append(try job(for: nil))
    } else {
      for input in inputs { jobs.append(try job(for: input)) }
    }
    return jobs
  }

  /// Path of the second of two inputs, if it looks like an output: `process in.wav out.wav`.
  private var outputWithoutOption: String? {
    guard isForSoundAlone, output == nil, outputFolder == nil, inputs.count == 2,
      case .file(let path) = inputs[1], AudioContainer(path: path) != nil, access(path, F_OK) != 0,
      case .file(let first) = inputs[0], access(first, F_OK) == 0
    else { return nil }
    return path
  }

  private func job(for input: InputSource?) throws(CommandFailure) -> FileJob {
    // It fails by itself; the name of its output might be that of another file.
    if let input, case .notUTF8 = input { return FileJob(input: input, output: .none, reportPath: nil, tablePath: nil) }
    let output: FileJob.Output
    do {
      output = try destination(for: input)
    } catch {
      guard inputs.count > 1 else { throw error }
      return FileJob(input: input, output: .none, reportPath: nil, tablePath: nil, refusal: error)
    }
    return FileJob(
      input: input, output: output,
      reportPath: report.map { ownPath($0, for: input) }, tablePath: table.map { ownPath($0, for: input) },
      picturePath: picture.map { ownPath($0, for: input) })
  }

  private func destination(for input: InputSource?) throws(CommandFailure) -> FileJob.Output {
    if let output {
      guard output != "-" else {
        guard format == nil || format == .wav else {
          throw .usage(
            "-o - streams a WAV, it cannot be --format \(format?.rawValue ?? ""); name a file for other formats"
          )
        }
        return .standardOutput
      }
      if Self.isFolder(output) {
        throw CommandFailure(sound: AudioFileError(.isDirectory(isOutput: true), path: output))
      }
      guard let kind = format ?? AudioContainer(path: output) ?? (Self.isPipeOrDevice(output) ? .wav : nil) else {
        throw .usage(
          "the format of the file is not clear from the name '\(output)'; use --format \(Self.formatWords)"
        )
      }
      return .file(output, kind)
    }
    guard let outputFolder, let input else { return .none }
    let folder = outputFolder.hasSuffix("/") ? outputFolder : outputFolder + "/"
    guard case .file(let path) = input else {
      return .file(folder + "stdin." + (format ?? .wav).rawValue, format ?? .wav)
    }
    let name = fileName(of: path)
    if let format { return .file(folder + Self.stem(of: name) + "." + format.rawValue, format) }
    // A missing input fails by itself, beside others that do not.
    guard let kind = AudioContainer(path: name) ?? (access(path, F_OK) == 0 ? nil : .wav) else {
      throw .usage("cannot write a file of the kind of '\(path)'; use --format \(Self.formatWords)")
    }
    return .file(folder + name, kind)
  }

  /// Returns the path for one of several jobs, which cannot share one file: the input's name is set before the
  /// extension.
  private func ownPath(_ path: String, for input: InputSource?) -> String {
    guard inputs.count > 1, let input else { return path }
    return Self.tagged(path, with: fileName(of: input.name))
  }

  /// Returns a path with a word before its extension.
  static func tagged(_ path: String, with word: String) -> String {
    let name = fileName(of: path)
    let stem = stem(of: name)
    return path.dropLast(name.count) + stem + "." + word + name.dropFirst(stem.count)
  }

  /// Whether a path is a pipe or a device; without an extension to choose by, it gets the format of stdout.
  private static func isPipeOrDevice(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static var formatWords: String { AudioContainer.writable.map(\.rawValue).joined(separator: "|") }
}
