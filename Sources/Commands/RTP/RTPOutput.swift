import AudioFiles
import CommandLineKit
import FrameObservers
import OfflineProcessing
import SoundOptions

/// Outputs of `rtp receive`: a file or stdout, a folder with a file for each source, a program.
struct RTPOutput: Sendable {
  /// Samples without a header on stdout.
  enum Raw: String, CaseIterable, Sendable {
    case int16 = "s16"
    case float32 = "f32"
  }

  /// Path of the file with all sound, or `-` for stdout.
  let path: String?
  /// Folder of the files of each source.
  let eachFolder: String?
  /// Format of samples without a header on stdout; nil: a WAV.
  let raw: Raw?
  /// Rate of the outputs, in Hz; nil: 48 kHz.
  let sampleRate: Int?
  let program: FrameProgram?

  /// Reads the outputs of a command line.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    path = parsed.text("output")
    eachFolder = parsed.text("each-out")
    sampleRate = parsed.integer("rate")
    var program = try FrameProgram(parsed, defaultPosition: .beforeMixing)
    program?.sampleRate = sampleRate
    self.program = program
    if program != nil, let sampleRate, !AudioParams.sampleRates.contains(sampleRate) {
      let rates = AudioParams.sampleRates.map { "\($0)" }.joined(separator: ", ")
      throw .usage("--observe-cmd cannot have frames of \(sampleRate) Hz; use --rate with one of \(rates)")
    }
    guard parsed.operands.first == "receive" else {
      raw = nil
      return
    }
    let words = Raw.allCases.map(\.rawValue).joined(separator: ", ")
    raw = try parsed.text("raw").map { text throws(CommandFailure) in
      // ffmpeg's names include the order of the bytes.
      guard let raw = Raw(rawValue: text.hasSuffix("le") ? String(text.dropLast(2)) : text) else {
        throw .usage("rtp receive cannot write --raw '\(text)'; use one of \(words), with --rate and --channels")
      }
      return raw
    }
    guard raw == nil || path == "-" else {
      throw .usage("--raw belongs to stdout; add -o - to get samples without a header")
    }
    if path == "-" {
      for name in ["json", "json-lines"] where parsed.has(name) {
        throw .usage("-o - and --\(name) would both write to stdout; send the sound to a file")
      }
    }
    guard path != nil || eachFolder != nil || program != nil else {
      throw .usage("rtp receive needs an output: -o FILE, -o -, --each-out FOLDER or --observe-cmd COMMAND")
    }
  }

  /// Pattern of the files of each source.
  var eachPath: String? {
    eachFolder.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "user.wav" }
  }

  /// Path of the file with all sound; nil: none, or stdout.
  var filePath: String? { path == "-" ? nil : path }

  /// The outputs in messages.
  var names: String {
    [path == "-" ? "stdout" : path, eachFolder, program.map { _ in "the program's frames" }].compactMap { $0 }
      .joined(separator: " and ")
  }
}
