package import CommandLineKit
import Devices
import SoundOptions

/// `audiopipe call`: a one-to-one call, of which the command is the caller or the callee.
package enum CallCommand {
  package static let declaration = CommandDeclaration(
    name: "call",
    summary: "Call a user, or answer a call: publish a file or a microphone, play and record the other user",
    examples: [
      "audiopipe call 7 --url ws://127.0.0.1:7000 --uid 5 --token-file t --publish talk.wav --record-mixed heard.wav",
      "audiopipe call --answer --url ws://127.0.0.1:7000 --uid 7 --token-file t --publish greeting.wav "
        + "--record-playback heard.wav --events -",
      "audiopipe call 7 --url ws://127.0.0.1:7000 --app-id dev --uid 5 --publish mic --play",
    ],
    notes: [
      "The token is one for any channel: token create --channel '*'. Recordings, the published file and --duration begin when the "
        + "users hear each other.",
      "The caller hangs up after --duration, after the published file without one, or with ^C. With --answer it waits for the first "
        + "call that is not given up before, which lasts until the other user hangs up, or ^C.",
      "A call that is rejected, busy, not delivered or not answered in time is 69 with a sentence, as is a connection that is lost "
        + "for good.",
    ],
    operands: CommandDeclaration.Operands(kind: .text, placeholder: "USER", minimum: 0, maximum: 1),
    options: [
      OptionDeclaration("answer", group: "Call", help: "Wait for a call, and accept it"),
      OptionDeclaration(
        "answer-after", .number(0...3_600, unit: "s"), group: "Call", default: "0",
        help: "Time of ringing before --answer accepts"),
      OptionDeclaration(
        "ring-time", .number(1...3_600, unit: "s"), group: "Call", default: "15",
        help: "Longest time of ringing; --answer-after must be less"),
      OptionDeclaration(
        "room", .text, placeholder: "NAME", group: "Call", help: "Channel of the call; a fresh name unless given"),
      OptionDeclaration(
        "text", .text, placeholder: "TEXT", group: "Call", help: "Text for the callee, its callExtension"),
      OptionDeclaration(
        "mqtt", .text, placeholder: "mqtts://HOST", group: "Broker",
        help: "Send the messages of the call over an MQTT 5 broker, not over the relay"),
      OptionDeclaration(
        "mqtt-user", .text, placeholder: "NAME", group: "Broker", default: "that of --uid",
        help: "User name at the broker"),
      OptionDeclaration("mqtt-password-file", .file, group: "Broker", help: "File with the password; '-' is stdin"),
      OptionDeclaration(
        "mqtt-ca-file", .file, group: "Broker", help: "Root certificates for mqtts://, in PEM, not the system's"),
      OptionDeclaration("uid", .integer(1...Int(UInt32.max)), group: "Channel", help: "User that calls or answers"),
    ] + RelayUserOptions.declarations + [
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Sound",
        help: "Hang up this many seconds after the users hear each other")
    ] + LiveSound.declarations + DeviceOptions.declarations() + CommonOptions.declarations)

  /// Calls or answers, and stays until the end of the call.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65, 66 and 73 for files; 69 for a call that does not come about,
  ///   and for a relay that cannot be reached; 74 for lines that cannot be written; 77 for a token that is refused or
  ///   has expired.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    do {
      try OpenFiles.reserve(32, for: "a call and its files")
      try CallRun(CallOptions(parsed), console).run()
      return .success
    } catch let error as BrokenPipe {
      throw error
    } catch {
      throw CommandFailure(live: error)
    }
  }
}
