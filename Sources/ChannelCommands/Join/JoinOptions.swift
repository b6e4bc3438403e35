import Channels
import CommandLineKit
import Signalling

/// Arguments of `join`, typed and checked.
struct JoinOptions {
  let relay: RelayUserOptions
  let sound: LiveSound
  let channel: ChannelName
  let user: RtcUser
  let media: ChannelMediaOptions
  /// File of lines to send, and the kind of their stream; nil: none.
  let messages: (path: String, kind: String)?
  /// Other channels in which the user is heard; nil: none.
  let relayed: ChannelMediaRelayConfiguration?

  /// Reads the options, and the token.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a token's file.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    guard parsed.has("url") else { throw .usage("join needs --url ws://HOST:PORT of a relay") }
    guard let name = parsed.text("channel") else { throw .usage("join needs --channel NAME") }
    channel = try TokenOptions.channel(name)
    relay = try RelayUserOptions(parsed, of: "join")
    switch try TokenOptions.user(parsed) {
    case .account(let account)?: user = .account(account.text)
    case .uid(let uid)?: user = .uid(uid)
    case nil: user = .uid(0)
    }
    sound = try LiveSound(parsed, eachFolder: parsed.text("each-out"))
    let role = parsed.text("role") ?? (sound.publishes || parsed.has("send-lines") ? "broadcaster" : "audience")
    guard !sound.publishes || role == "broadcaster" else {
      throw .usage("--publish needs --role broadcaster; the audience does not publish")
    }
    messages = parsed.text("send-lines").map { ($0, parsed.text("stream-kind") ?? "reliable-ordered") }
    guard messages != nil || !parsed.has("stream-kind") else {
      throw .usage("--stream-kind is for the messages of --send-lines; give both")
    }
    guard messages == nil || role == "broadcaster" else {
      throw .usage("--send-lines needs --role broadcaster; the audience sends no messages")
    }
    guard messages?.path != "-" || parsed.text("token-file") != "-" else {
      throw .usage("--send-lines and --token-file cannot both read stdin; put the token into a file")
    }
    relayed = try Self.relayed(parsed, publishes: sound.publishes)
    media = ChannelMediaOptions(
      publishesAudio: sound.publishes, role: role == "broadcaster" ? .broadcaster : .audience,
      profile: parsed.text("profile").flatMap { Self.profiles[$0] },
      maximumSpeakerCount: parsed.integer("max-speakers"))
  }

  /// Returns the channels of `--relay-to` with their tokens.
  private static func relayed(
    _ parsed: ParsedArguments, publishes: Bool
  ) throws(CommandFailure) -> ChannelMediaRelayConfiguration? {
    let (names, paths) = (parsed.texts("relay-to"), parsed.texts("relay-token-file"))
    guard !names.isEmpty || !paths.isEmpty else { return nil }
    guard paths.isEmpty || paths.count == names.count else {
      throw .usage(
        "--relay-to is given \(names.count) times and --relay-token-file \(paths.count) times; give a file for each channel"
      )
    }
    guard publishes else {
      throw .usage("--relay-to needs --publish; a user that publishes nothing is heard nowhere")
    }
    guard names.count <= Token.maximumRelayDestinations, Set(names).count == names.count else {
      throw .usage("--relay-to is given at most \(Token.maximumRelayDestinations) times, each with another channel")
    }
    guard !paths.contains("-") else {
      throw .usage("--relay-token-file cannot read stdin; put the token into a file")
    }
    var destinations: [ChannelMediaInfo] = []
    for (index, name) in names.enumerated() {
      let channel = try TokenOptions.channel(name)
      guard name != parsed.text("channel") else {
        throw .usage("--relay-to '\(name)' is the channel of --channel; give another one")
      }
      let token = paths.isEmpty ? nil : try TokenText.read(paths[index])
      destinations.append(ChannelMediaInfo(channel: channel.text, token: token))
    }
    return ChannelMediaRelayConfiguration(destinations: destinations)
  }

  static let profiles: [String: ChannelProfile] = [
    "communication": .communication, "live": .live, "game-free": .gameFree, "game-command": .gameCommand,
  ]
}
