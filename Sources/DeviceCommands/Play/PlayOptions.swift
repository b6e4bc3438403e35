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
  let device: DeviceChoice
  let deviceOptions: DeviceOptions
  let volume: Volume
  let repetition: Repetition
  let startSeconds: Double
  let durationSeconds: Double?
  let overwrites: Bool
  let isQuiet: Bool
  let progress: ProgressMode
  let showsReport: Bool
  let showsEvents: Bool

  /// Reads the options.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    isQuiet = try CommonOptions(parsed).isQuiet
    guard let path = parsed.operands.first else { throw .usage("play needs a file") }
    guard path != "-" else { throw .usage("play cannot read stdin, since it may go back; write the sound to a file") }
    self.path = path
    device = try DeviceChoice(parsed.text("device") ?? "default", option: "--device")
    deviceOptions = DeviceOptions(parsed)
    volume = (try? Volume(Double(parsed.integer("volume") ?? 100))) ?? .unchanged
    let loops = parsed.integer("loops") ?? 1
    repetition = loops == -1 ? .forever : .times(loops)
    startSeconds = parsed.number("start") ?? 0
    durationSeconds = parsed.number("duration")
    overwrites = parsed.has("overwrite")
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    showsReport = parsed.has("json")
    showsEvents = parsed.has("json-lines")
    guard !showsReport || !showsEvents else {
      throw .usage("--json and --json-lines contradict each other; give one of them")
    }
    if case .file(let path) = device {
      var claims = OutputConflicts(advice: "give each its own name")
      claims.reads(self.path, as: "input")
      try claims.writes(path, as: "output", of: "play")
    }
  }
}
