import CommandLineKit
import Devices
import SoundOptions

/// Sound of a user of a channel: the files and devices that it sends and plays, and the files of the others.
struct LiveSound {
  /// File to publish; nil: none, or a microphone.
  let publishPath: String?
  /// Device to publish.
  let microphone: DeviceChoice?
  /// Device on which the others are heard.
  let loudspeaker: DeviceChoice?
  let deviceOptions: DeviceOptions
  let outputs: LiveOutputs
  /// Files that are read, by their options.
  let inputs: [(option: String, path: String)]
  let durationSeconds: Double?
  /// Whether a report in JSON goes to stdout.
  let showsReport: Bool
  /// Whether events go to stdout.
  let showsEvents: Bool

  /// Whether anything is sent.
  var publishes: Bool { publishPath != nil || microphone != nil }

  /// Reads the options.
  ///
  /// - Parameter eachFolder: Folder of a file for each user; nil: none.
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments, eachFolder: String? = nil) throws(CommandFailure) {
    let published = parsed.text("publish")
    publishPath = published == Self.microphoneWord ? nil : published
    microphone = try Self.device(
      parsed, "capture-device", isWanted: published == Self.microphoneWord, by: "--publish mic")
    loudspeaker = try Self.device(parsed, "playout-device", isWanted: parsed.has("play"), by: "--play")
    deviceOptions = DeviceOptions(parsed)
    outputs = LiveOutputs(
      mixedPath: parsed.text("record-mixed"), playbackPath: parsed.text("record-playback"),
      eachFolder: eachFolder, playoutPath: loudspeaker?.filePath, overwrites: parsed.has("overwrite"))
    let files = ["publish", "token-file", "ca-file"].compactMap { name in
      parsed.text(name).flatMap { ["-", Self.microphoneWord].contains($0) ? nil : ("--\(name)", $0) }
    }
    inputs = files + (microphone?.filePath.map { [("--capture-device", $0)] } ?? [])
    durationSeconds = parsed.number("duration")
    showsReport = parsed.has("json")
    let events = parsed.text("events")
    guard events == nil || events == "-" else { throw .usage("--events writes to stdout; give --events -") }
    showsEvents = events == "-" || parsed.has("json-lines")
    guard !showsEvents || !showsReport else {
      throw .usage("--json and --events contradict each other; give one of them")
    }
  }

  /// Options of sound, devices and events.
  static let declarations =
    [
      OptionDeclaration("publish", .file, group: "Sound", help: "File to send to the channel; mic for a device"),
      OptionDeclaration("play", group: "Sound", help: "Play the other users through a device"),
      OptionDeclaration(
        "record-playback", .file, group: "Sound", help: "File of the other users, mixed as they are heard"),
      OptionDeclaration(
        "record-mixed", .file, group: "Sound", help: "File of the other users and the published sound"),
    ] + output

  private static let output = [
    OptionDeclaration(
      "events", .text, placeholder: "-", group: "Output", help: "Write events to stdout, one JSON object per line"),
    OptionDeclaration("json-lines", group: "Output", help: "The same as --events -"),
    OptionDeclaration("overwrite", group: "Output", help: "Replace existing files"),
    OptionDeclaration(
      "capture-device", .text, placeholder: "NAME", group: "Device", default: "default",
      help: "Device of --publish mic, as 'record --device'"),
    OptionDeclaration(
      "playout-device", .text, placeholder: "NAME", group: "Device", default: "default",
      help: "Device of --play, as 'play --device'"),
  ]

  /// Word of `--publish` for a device; a file of that name is `./mic`.
  private static let microphoneWord = "mic"

  /// Returns the device of an option, or the default one; nil if none is wanted.
  private static func device(
    _ parsed: ParsedArguments, _ name: String, isWanted: Bool, by other: String
  ) throws(CommandFailure) -> DeviceChoice? {
    guard isWanted else {
      guard !parsed.has(name) else { throw .usage("--\(name) names a device, which needs \(other)") }
      return nil
    }
    return try DeviceChoice(parsed.text(name) ?? "default", option: "--\(name)")
  }
}
