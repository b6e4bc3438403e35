import CommandLineKit
import Signalling

/// Claims of a command line of `token`.
struct TokenOptions {
  let app: AppID
  let scope: TokenScope?
  let user: UserIdentity?
  let role: TokenRole
  let rights: TokenRights?
  let relayDestinations: [ChannelName]
  let validSeconds: Int64
  let id: String?

  /// Reads the options.
  ///
  /// - Throws: exit code 64 for a name that is not possible, and for options that contradict each other.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    guard let name = parsed.text("app-id") else { throw .usage("token needs --app-id ID") }
    guard let app = AppID(name) else {
      throw .usage("--app-id '\(name)': \(AppID.fault(in: name)); an app id has \(AppID.rule)")
    }
    self.app = app
    scope = try parsed.text("channel").map { text throws(CommandFailure) in
      text == "*" ? .anyChannel : .channel(try Self.channel(text))
    }
    user = try Self.user(parsed)
    role = parsed.text("role").flatMap(TokenRole.init(rawValue:)) ?? .broadcaster
    let words = parsed.list("rights")
    rights = parsed.has("rights") ? TokenRights(words.compactMap { TokenRights(name: $0) }) : nil
    // The recorder right withdraws the right to publish anyway.
    if rights?.effective.contains([.hidden, .publish]) == true {
      throw .usage(
        "--rights hidden,publish contradict each other: a hidden user does not publish; leave one of them out")
    }
    relayDestinations = try parsed.texts("relay-to").map { name throws(CommandFailure) in try Self.channel(name) }
    guard relayDestinations.count <= Token.maximumRelayDestinations else {
      throw .usage("--relay-to is given at most \(Token.maximumRelayDestinations) times")
    }
    guard relayDestinations.isEmpty || role == .broadcaster else {
      throw .usage("--relay-to needs --role broadcaster; the audience relays no audio")
    }
    if let own = relayDestinations.first(where: { $0.text == parsed.text("channel") }) {
      throw .usage("--relay-to '\(own)' is the channel of --channel; give another one")
    }
    let text = parsed.text("valid-for") ?? "1h"
    guard let seconds = ValidTime.seconds(text) else {
      throw .usage("--valid-for '\(text)' is not a time; write a number with s, m, h or d, such as 1h")
    }
    guard seconds > 0 else { throw .usage("--valid-for '\(text)' must be longer than 0, such as 1h") }
    validSeconds = seconds
    id = parsed.text("id")
  }

  /// Reads a channel's name.
  static func channel(_ text: String) throws(CommandFailure) -> ChannelName {
    guard let channel = ChannelName(text) else {
      throw .usage("channel '\(text)': \(ChannelName.fault(in: text)); a name has \(ChannelName.rule)")
    }
    return channel
  }

  /// Reads the user of `--uid` or `--account`; nil without either.
  static func user(_ parsed: ParsedArguments) throws(CommandFailure) -> UserIdentity? {
    guard let name = parsed.text("account") else { return parsed.integer("uid").map { .uid(UInt32($0)) } }
    guard !parsed.has("uid") else { throw .usage("--uid and --account contradict each other; give one of them") }
    guard let account = UserAccount(name) else {
      throw .usage("--account '\(name)': \(UserAccount.fault(in: name)); an account has \(UserAccount.rule)")
    }
    return .account(account)
  }
}
