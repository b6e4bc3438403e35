package import CommandLineKit
import Devices
import SoundOptions

/// `audiopipe join`: a user of a channel, which publishes a file and records the others.
package enum JoinCommand {
  package static let declaration = CommandDeclaration(
    name: "join",
    summary: "Be a user of a channel: publish a file or a microphone, play and record what is heard",
    examples: [
      "audiopipe join --url ws://127.0.0.1:7000 --channel room --uid 5 --token-file t --publish talk.wav",
      "audiopipe join --url wss://relay.example --channel room --uid 6 --token-file t --record-playback heard.wav --duration 60 "
        + "--events -",
      "audiopipe join --url wss://relay.example --channel room --uid 7 --token-file t --publish mic --play",
    ],
    notes: [
      "It leaves after --duration, after the published file without one, or with ^C. The join itself waits for the relay for 10 s "
        + "at most.",
      "If the relay is lost for a while, it warns and joins again by itself. If the relay is still lost at the end, the exit code "
        + "is 69; the recordings are valid.",
      "The role is broadcaster with --publish or --send-lines, and audience without.",
      "Messages of other users are events: --events - shows them as receiveStreamMessage. Without --publish and --duration, it "
        + "leaves 2 s after the last line of --send-lines.",
      "--relay-to needs the right relay:NAME in the token of --token-file, and a token with the right to publish for each other "
        + "channel, unless the relay allows the app id alone.",
    ],
    options: [
      OptionDeclaration("channel", .text, placeholder: "NAME", group: "Channel", help: "Channel to join"),
      OptionDeclaration(
        "uid", .integer(0...Int(UInt32.max)), group: "Channel", default: "0",
        help: "User in the channel; the relay assigns a number for 0"),
      OptionDeclaration(
        "account", .text, placeholder: "NAME", group: "Channel", help: "User in the channel by account"),
      OptionDeclaration(
        "role", .choice(["broadcaster", "audience"]), group: "Channel", help: "Role in the channel"),
      OptionDeclaration(
        "profile", .choice(JoinOptions.profiles.keys.sorted()), group: "Channel", default: "live",
        help: "Profile of the channel"),
      OptionDeclaration(
        "max-speakers", .integer(0...65_535), group: "Channel", default: "0",
        help: "Users that are heard at the same time: the loudest ones; 0 for as many as the relay lets this user hear"),
      OptionDeclaration(
        "send-lines", .file, group: "Channel",
        help: "File with lines that are sent as messages of a data stream, 30 a second at most; '-' is stdin"),
      OptionDeclaration(
        "stream-kind", .choice(["reliable-ordered", "reliable", "ordered", "unreliable"]), group: "Channel",
        default: "reliable-ordered", help: "Kind of the data stream"),
      OptionDeclaration(
        "relay-to", .text, placeholder: "NAME", isRepeatable: true, group: "Channel",
        help: "Another channel in which the published sound is heard, too; up to 6"),
      OptionDeclaration(
        "relay-token-file", .file, isRepeatable: true, group: "Channel",
        help: "File with the token for the channel of --relay-to at the same place"),
    ] + RelayUserOptions.declarations + [
      OptionDeclaration(
        "each-out", .directory, group: "Sound", help: "Folder with a file for each user, user.5.wav and so on"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Sound", help: "Leave this many seconds after the join"),
    ] + LiveSound.declarations + DeviceOptions.declarations() + CommonOptions.declarations)

  /// Joins, and stays until the end.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65, 66 and 73 for files; 69 for a relay that cannot be reached;
  ///   74 for lines that cannot be written; 77 for a token that is refused or has expired.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    do {
      try OpenFiles.reserve(32, for: "a channel and its files")
      try JoinRun(JoinOptions(parsed), console).run()
      return .success
    } catch let error as BrokenPipe {
      throw error
    } catch {
      throw CommandFailure(live: error)
    }
  }
}
