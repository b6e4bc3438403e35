import AudioFiles
import AudioGraph
package import CommandLineKit
import Devices
import Effects
import FrameObservers
import SoundOptions

/// `audiopipe record`: records a device to a file.
package enum RecordCommand {
  package static let declaration = CommandDeclaration(
    name: "record",
    summary: "Record a microphone or another device to a file",
    examples: [
      "audiopipe record -o voice.wav --duration 10",
      "audiopipe record -o voice.flac --device hw:CARD=USB,DEV=0 --voice-only",
      "audiopipe record -o voice.wav --observe-cmd 'my-recogniser' --monitor default",
    ],
    notes: [
      "It ends after --duration, with q, or with ^C. The space bar, or the signal USR1, pauses and resumes: a pause is not in the "
        + "file. A WAV file is valid at every moment: a kill loses the last second at most.",
      "While the device is gone, the default one takes its place, or there is silence.",
      "Exit code 69: there is no such device, or another program uses it.",
    ],
    options: [
      LiveOptions.deviceDeclaration,
      OptionDeclaration(
        "monitor", .text, placeholder: "NAME", group: "Device", help: "Device on which the recorded sound is heard"),
    ] + DeviceOptions.declarations(buffer: "40, or 10 with --monitor") + [
      OptionDeclaration(
        "output", short: "o", .file, group: "Output", help: "File; its extension determines the kind"),
      OptionDeclaration(
        "rate", .integer(AudioFormat.sampleRates), placeholder: "HZ", group: "Output", default: "48000",
        help: "Sample rate of the file in Hz"),
      OptionDeclaration(
        "channels", .integer(1...2), group: "Output", default: "1", help: "Channels of the file"),
      OptionDeclaration(
        "sample-format", .choice(SampleFormat.allCases.map(\.rawValue)), group: "Output", default: "s16",
        help: "Sample format of the file"),
      OptionDeclaration("overwrite", group: "Output", help: "Replace an existing file"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Sound", help: "End after this many seconds of sound"),
      OptionDeclaration(
        "volume", .integer(0...400), group: "Sound", default: "100",
        help: "Level in percent, up to 400 with a limiter"),
      OptionDeclaration(
        "pitch", .text, placeholder: "RATIO|+Nst", group: "Sound", default: "1",
        help: "Pitch of the voice: a ratio from 0.5 to 2, or semitones such as +3st"),
      OptionDeclaration(
        "pitch-mode", .choice(PitchShiftMode.allCases.map(\.rawValue)), group: "Sound", default: "quality",
        help: "Aim of --pitch: a low delay as in a call, or the best quality"),
      OptionDeclaration("keep-formants", group: "Sound", help: "Keep the formants of a voice unchanged by --pitch"),
      OptionDeclaration(
        "voice-only", group: "Sound", help: "Keep only speech; keystrokes, fans and sounds between words are removed"),
      OptionDeclaration(
        "observe", .choices(["record", "mixed"]), group: "Frames", default: "record",
        help: "Positions of frames for a program"),
      OptionDeclaration(
        "observe-cmd", .text, placeholder: "COMMAND", group: "Frames",
        help: "Program that reads the frames as raw PCM, 16 bits, interleaved"),
    ] + LiveOptions.resultDeclarations + CommonOptions.declarations)

  /// Records to the end.
  ///
  /// - Throws: exit code 64 for a wrong command line, 69 for a device, 73 and 74 for the file.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    do {
      try RecordRun(RecordOptions(parsed), console).run()
      return .success
    } catch let error as BrokenPipe {
      throw error
    } catch {
      throw CommandFailure(live: error)
    }
  }
}
