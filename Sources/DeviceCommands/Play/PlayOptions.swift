import AudioGraph
import CommandLineKit
import Devices
import Effects
import Engine
import Playback
import SoundOptions

/// Arguments of `play`, typed and checked.
struct PlayOptions {
  let path: String
  let live: LiveOptions
  let volume: Volume
  let repetition: Repetition
  let startSeconds: Double

  /// Reads the options.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    live = try LiveOptions(parsed)
    guard let path = parsed.operands.first else { throw .usage("play needs a file") }
    guard path != "-" else { throw .usage("play cannot read stdin, since it may go back; write the sound to a file") }
    self.path = path
    volume = (try? Volume(Double(parsed.integer("volume") ?? 100))) ?? .unchanged
    let loops = parsed.integer("loops") ?? 1
    repetition = loops == -1 ? .forever : .times(loops)
    startSeconds = parsed.number("start") ?? 0
    if case .file(let path) = live.device {
      var claims = OutputConflicts(advice: "give each its own name")
      claims.reads(self.path, as: "input")
      try claims.writes(path, as: "output", of: "play")
    }
  }
}
