import CommandLineKit
import Devices
import SoundOptions

/// Arguments that `record` and `play` share, typed and checked.
struct LiveOptions {
  let device: DeviceChoice
  let deviceOptions: DeviceOptions
  let durationSeconds: Double?
  let overwrites: Bool
  /// Whether a report in JSON goes to stdout.
  let showsReport: Bool
  /// Whether events go to stdout.
  let showsEvents: Bool
  private let isQuiet: Bool
  private let progress: ProgressMode

  /// Options of the results.
  static let resultDeclarations = [
    OptionDeclaration(
      "json-lines", group: "Results", help: "Write events to stdout as they happen, one JSON object per line"),
    OptionDeclaration(
      "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
      help: "Level meter: auto draws it on a terminal"),
  ]

  /// Option for the device.
  static let deviceDeclaration = OptionDeclaration(
    "device", .text, placeholder: "NAME", group: "Device", default: "default", help: DeviceChoice.help)

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - parsed: the command line.
  ///   - hearsItself: whether a speaker hears the own voice, and so its delay.
  /// - Throws: exit code 64 for options that contradict each other, or a wrong device.
  init(_ parsed: ParsedArguments, hearsItself: Bool = false) throws(CommandFailure) {
    isQuiet = try CommonOptions(parsed).isQuiet
    device = try DeviceChoice(parsed.text("device") ?? "default", option: "--device")
    // Nobody hears the delay of a file that is played or recorded; behind a sound server, 10 ms are often too few.
    deviceOptions = DeviceOptions(parsed, buffer: hearsItself ? 10 : 40)
    durationSeconds = parsed.number("duration")
    overwrites = parsed.has("overwrite")
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    showsReport = parsed.has("json")
    showsEvents = parsed.has("json-lines")
    guard !showsReport || !showsEvents else {
      throw .usage("--json and --json-lines contradict each other; give one of them")
    }
  }

  /// Returns whether a level meter is drawn.
  func showsMeter(on console: Console) -> Bool {
    progress.resolved(isInteractive: console.canShowBar(besideLines: showsEvents), isQuiet: isQuiet) == .bar
  }
}
