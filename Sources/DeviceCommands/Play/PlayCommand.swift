import AudioFiles
package import CommandLineKit
import Devices
import SoundOptions

/// `audiopipe play`: plays a file through a device.
package enum PlayCommand {
  package static let declaration = CommandDeclaration(
    name: "play",
    summary: "Play a file or stdin through a loudspeaker or another device",
    examples: [
      "audiopipe play talk.wav", "audiopipe play music.flac --device hw:CARD=USB,DEV=0 --volume 40 --loops -1",
      "ffmpeg -v error -i talk.webm -f wav - | audiopipe play -",
    ],
    notes: [
      "It ends after the file or --duration, with q, or with ^C. The space bar pauses and resumes.",
      "'-' is stdin: WAV, or with --raw samples, played as they come; other kinds once stdin has ended. What comes late "
        + "is silence meanwhile, and nothing is left out.",
      "While the device is gone, the default one takes its place, or the sound is dropped.",
      "Exit code 69: there is no such device, or another program uses it.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "FILE", minimum: 1, maximum: 1),
    options: [
      LiveOptions.deviceDeclaration, RawFormat.declaration,
    ] + DeviceOptions.declarations(buffer: "40") + [
      OptionDeclaration(
        "volume", .integer(0...100), group: "Sound", default: "100", help: "Level in percent"),
      OptionDeclaration(
        "loops", .integer(-1...1_000_000), group: "Sound", default: "1", help: "Number of plays; -1 for endless"),
      OptionDeclaration(
        "start", .number(0...1_000_000, unit: "s"), group: "Sound", default: "0", help: "Begin this far into the file"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Sound", help: "End after this many seconds"),
      OptionDeclaration("overwrite", group: "Output", help: "Replace an existing file of --device file:PATH"),
    ] + LiveOptions.resultDeclarations + CommonOptions.declarations)

  /// Plays to the end.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for the file, 69 for a device.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    do {
      try PlayRun(PlayOptions(parsed), console).run()
      return .success
    } catch let error as BrokenPipe {
      throw error
    } catch {
      throw CommandFailure(live: error)
    }
  }
}
