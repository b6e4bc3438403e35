import AudioFiles
import AudioGraph
import CommandLineKit
import Devices
import Effects
import Engine
import Playback
import SoundOptions

/// Arguments of `play`, typed and checked.
struct PlayOptions {
  let input: InputSource
  /// Format of stdin without a header; nil if it has one.
  let raw: RawFormat?
  let live: LiveOptions
  let volume: Volume
  let repetition: Repetition
  let startSeconds: Double

  /// Reads the options.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    live = try LiveOptions(parsed)
    guard let path = parsed.operands.first else { throw .usage("play needs a file, or '-' for stdin") }
    input = InputSource(path)
    raw = try RawFormat.option(of: parsed)
    try raw?.check(inputs: [input])
    if input == .standardInput, let name = ["loops", "start"].first(where: parsed.has) {
      throw .usage(
        "--\(name) goes back or ahead in a file, and stdin cannot; leave it out, or write the sound to a file")
    }
    volume = (try? Volume(Double(parsed.integer("volume") ?? 100))) ?? .unchanged
    let loops = parsed.integer("loops") ?? 1
    repetition = loops == -1 ? .forever : .times(loops)
    startSeconds = parsed.number("start") ?? 0
    if case .file(let path) = live.device {
      var claims = OutputConflicts(advice: "give each its own name")
      claims.reads(input)
      try claims.writes(path, as: "output", of: "play")
    }
  }
}
