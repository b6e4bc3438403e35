import CommandLineKit
import Signalling
import SoundOptions

/// Arguments of `record-channel`, typed and checked.
struct RecordChannelOptions {
  let relay: RelayUserOptions
  let channel: ChannelName
  let uid: UInt32
  let folder: String
  let wait: Duration
  let durationNanoseconds: Int?
  let showsReport: Bool

  /// Reads the options, and the token; makes the folder.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a token's file, 73 for a folder that cannot be
  ///   made.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    guard let name = parsed.text("channel") else { throw .usage("record-channel needs --channel NAME") }
    channel = try TokenOptions.channel(name)
    relay = try RelayUserOptions(parsed, of: "record-channel")
    uid = UInt32(parsed.integer("uid") ?? 0)
    guard let folder = OutputFolder(parsed.text("out-dir")) else {
      throw .usage("record-channel needs --out-dir FOLDER")
    }
    self.folder = folder.path
    wait = .milliseconds(Int(parsed.number("wait") ?? 200))
    durationNanoseconds = parsed.number("duration").map { Int($0 * 1e9) }
    showsReport = parsed.has("json")
    _ = try folder.make()
  }
}
