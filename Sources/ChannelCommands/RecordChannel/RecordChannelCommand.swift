package import CommandLineKit

/// `audiopipe record-channel`: a recorder of a channel, which writes each user's packets as they are.
package enum RecordChannelCommand {
  package static let declaration = CommandDeclaration(
    name: "record-channel",
    summary: "Record each user of a channel in a file of its Opus packets, without decoding",
    examples: [
      "audiopipe record-channel --url wss://relay.example --channel room --token-file t --out-dir calls --duration 3600",
      "audiopipe record-channel --url ws://127.0.0.1:7000 --app-id dev --channel room --out-dir calls",
    ],
    notes: [
      "A token with the right recorder (audiopipe token create --rights recorder) makes a hidden user that only receives.",
      "All files UID.opus begin at the join. Pauses and lost packets keep their length. A user that comes back continues its file.",
      "A file that exists stays: the new one is UID.2.opus.",
      "The files are whole after ^C. A killed process leaves files that lack the last second.",
    ],
    options: [
      OptionDeclaration("channel", .text, placeholder: "NAME", group: "Channel", help: "Channel to record"),
      OptionDeclaration(
        "uid", .integer(0...Int(UInt32.max)), group: "Channel", default: "0",
        help: "User in the channel; the relay assigns a number for 0"),
    ] + RelayUserOptions.declarations + [
      OptionDeclaration(
        "out-dir", .directory, group: "Output", help: "Folder of the files; it is made if it is missing"),
      OptionDeclaration(
        "wait", .number(0...5_000, unit: "ms"), group: "Output", default: "200",
        help: "Time in which a packet that was overtaken or lost may still come"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Output",
        help: "Leave this many seconds after the join"),
    ] + CommonOptions.declarations)

  /// Joins, and records until the end.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65, 66 and 73 for files; 69 for a relay that cannot be reached;
  ///   74 for files that cannot be written; 77 for a token that is refused or has expired.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try RecordChannelOptions(parsed)
    try OpenFiles.reserve(32, for: "a channel and its files")
    // A small room needs less, so that a lower limit of the system is a warning.
    do throws(CommandFailure) { try OpenFiles.reserve(1_100, for: "a file for each of 1000 users") } catch {
      console.log.warning(error.sentence)
    }
    try RecordChannelRun(options, console).run()
    return .success
  }
}
