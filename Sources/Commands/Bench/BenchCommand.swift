import CommandLineKit
import JSON

/// `audiopipe bench`: measures how much audio one core of this machine can carry.
enum BenchCommand {
  static let declaration = CommandDeclaration(
    name: "bench",
    summary: "Measure the audio capacity of one core of this machine",
    examples: ["audiopipe bench", "audiopipe bench --json | jq .users_decoded"],
    notes: [
      "Takes a few seconds. Each figure is the best of several runs, which reduces the influence of other programs. Run it "
        + "on an idle machine nevertheless.",
      "Sources are mono voices at 48 kHz, mixed to stereo. Users are received as Opus at 32 kbit/s in packets of 20 ms, "
        + "decoded and mixed. Pitch is measured on one voice at 48 kHz. Files are 16-bit stereo WAV files in TMPDIR, "
        + "processed with changed gain and pan.",
    ],
    options: CommonOptions.declarations)

  /// Runs the measurements, and prints them.
  ///
  /// - Throws: an error of a measurement, or as `StandardOutput.write` does.
  static func run(_ parsed: ParsedArguments, console: Console) throws -> ExitCode {
    let log = console.log
    log.debug("mixing sources")
    let sources = try MixingCapacity.measure()
    log.debug("decoding users")
    let users = try DecodingCapacity.measure()
    log.debug("measuring pitch")
    let pitch = try PitchCapacity.measure()
    log.debug("processing a file")
    let files = try FileCapacity.measure()
    if parsed.has("json") {
      var json = JSONWriter()
      json.object { json in
        json.field("schema", 1)
        json.field("sources_mixed", Int(sources.rounded()))
        json.field("users_decoded", Int(users.rounded()))
        json.field("pitch_hours_per_hour", Int(pitch.rounded()))
        json.field("file_hours_per_hour", Int(files.rounded()))
      }
      try console.output.writeLine(json.text)
      return .success
    }
    func line(_ name: String, _ value: Double, _ unit: String) -> String {
      let number = "\(Int(value.rounded()))"
      return name + String(repeating: " ", count: max(1, 34 - name.count - number.count)) + number + "  " + unit + "\n"
    }
    try console.output.write(
      line("sources mixed", sources, "in each tick of 10 ms") + line("users decoded and mixed", users, "at a time")
        + line("pitch of a voice", pitch, "hours of audio in an hour")
        + line("files processed", files, "hours of audio in an hour"))
    return .success
  }
}
