package import CommandLineKit
import Glibc
import JSON
import Platform
import Signalling

/// `audiopipe token create|inspect|verify`: tokens of channels.
package enum TokenCommand {
  private static let verbs = ["create", "inspect", "verify"]
  private static let creating = ["role", "rights", "relay-to", "valid-for", "id"]

  package static let declaration = CommandDeclaration(
    name: "token",
    summary: "Sign, show or verify tokens of channels",
    examples: [
      "audiopipe token create --app-id demo --app-secret-file secret.txt --channel room --uid 5 --valid-for 1h > t",
      "audiopipe token verify t --app-id demo --app-secret-file secret.txt",
    ],
    notes: [
      "A token is a JWT in HS256; any JWT library can make one. create prints the token alone. inspect shows the claims of a "
        + "token without a check, and on stderr its times in UTC. verify exits with 77 and a sentence for a token that a relay would refuse.",
      "A secret file's bytes count without a line end behind them: umask 077; head -c 32 /dev/urandom | base64 > secret.txt makes one.",
    ],
    operands: CommandDeclaration.Operands(
      kind: .verb(verbs, beforeFile: ["inspect", "verify"]), placeholder: "create | inspect FILE | verify FILE",
      minimum: 1, maximum: 2),
    options: [
      OptionDeclaration("app-id", .text, placeholder: "ID", group: "Token", help: "App of the token"),
      AppSecret.declaration(group: "Token"),
      OptionDeclaration(
        "channel", .text, placeholder: "NAME", group: "Token",
        help: "Channel of the token, '*' for any; to verify, the channel that must be allowed"),
      OptionDeclaration(
        "uid", .integer(0...Int(UInt32.max)), group: "Token", help: "User of the token, 0 for any user"),
      OptionDeclaration("account", .text, placeholder: "NAME", group: "Token", help: "User of the token by account"),
      OptionDeclaration(
        "role", .choice(TokenRole.allCases.map(\.rawValue)), group: "create", default: "broadcaster",
        help: "Maximum role of the user"),
      OptionDeclaration(
        "rights", .choices(TokenRights.named.map(\.name)), group: "create", default: "those of the role",
        help: "Rights of the user"),
      OptionDeclaration(
        "relay-to", .text, placeholder: "NAME", isRepeatable: true, group: "create",
        help: "Channel that the user's audio may be relayed to; given up to \(Token.maximumRelayDestinations) times"),
      OptionDeclaration(
        "valid-for", .text, placeholder: "TIME", group: "create", default: "1h",
        help: "Time until the token expires, such as 90s, 15m, 1h or 7d"),
      OptionDeclaration("id", .text, placeholder: "TEXT", group: "create", help: "Identifier of the token (jti)"),
    ] + CommonOptions.declarations)

  /// Runs the command.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for files, 77 for a token that is refused.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let verb = parsed.operands[0]
    try Argument.check(verb)
    guard verbs.contains(verb) else {
      let ending = Suggestion.ending(
        for: verb, among: verbs, otherwise: "; it is one of \(verbs.joined(separator: ", "))")
      throw CommandFailure.usage("token cannot '\(verb)'\(ending)")
    }
    if verb != "create" {
      for name in creating where parsed.has(name) {
        throw CommandFailure.usage("--\(name) belongs to 'token create'; leave it out")
      }
    }
    switch (verb, parsed.operands.count) {
    case ("create", 1): try create(parsed, console)
    case ("inspect", 2): try show(inspect(parsed), parsed, console)
    case ("verify", 2): try show(verify(parsed), parsed, console)
    case ("create", _): throw CommandFailure.usage("token create takes no file")
    default: throw CommandFailure.usage("token \(verb) needs the file of the token, or - for stdin")
    }
    return .success
  }

  private static func create(_ parsed: ParsedArguments, _ console: Console) throws {
    let options = try TokenOptions(parsed)
    guard let scope = options.scope else {
      throw CommandFailure.usage("token create needs --channel NAME, or --channel '*' for any channel")
    }
    guard let user = options.user else {
      throw CommandFailure.usage("token create needs --uid N (0 for any user) or --account NAME")
    }
    let secret = try AppSecret.read(parsed)[0]
    let now = Int64(time(nil))
    let token: Token
    do {
      token = try Token(
        app: options.app, scope: scope, user: user, role: options.role, rights: options.rights,
        relayDestinations: options.relayDestinations, expires: now + options.validSeconds, id: options.id)
    } catch {
      throw CommandFailure(.usage, "\(error)")
    }
    let text = TokenSigner(secret).sign(token)
    guard parsed.has("json") else { return try console.output.writeLine(text) }
    try console.output.writeDocument { json in
      json.field("schema", 1)
      json.field("token", text)
      json.object("claims") { TokenClaim.write(token, to: &$0) }
    }
  }

  private static func inspect(_ parsed: ParsedArguments) throws -> Token {
    let (text, name) = try text(parsed)
    for option in ["app-id", "app-secret-file", "channel", "uid", "account"] where parsed.has(option) {
      throw CommandFailure.usage("--\(option) belongs to create and verify; inspect checks nothing")
    }
    do {
      return try TokenVerifier.unverifiedToken(in: text)
    } catch {
      throw CommandFailure(.badData, "\(name): \(error)")
    }
  }

  private static func verify(_ parsed: ParsedArguments) throws -> Token {
    let options = try TokenOptions(parsed)
    let secrets = try AppSecret.read(parsed)
    let (text, name) = try text(parsed)
    do {
      let verifier = TokenVerifier(secrets[0], secrets.count > 1 ? secrets[1] : nil)
      let token = try verifier.verify(text, app: options.app, now: Int64(time(nil)))
      if case .channel(let channel)? = options.scope {
        try TokenVerifier.check(token, channel: channel, user: options.user ?? token.user)
      }
      return token
    } catch {
      throw CommandFailure(.tokenRefused, "\(name): \(error) (\(error.code.rawValue))")
    }
  }

  /// Reads the token of the command line.
  private static func text(_ parsed: ParsedArguments) throws(CommandFailure) -> (text: String, name: String) {
    let path = parsed.operands[1]
    return (try TokenText.read(path), path == "-" ? "stdin" : path)
  }

  private static func show(_ token: Token, _ parsed: ParsedArguments, _ console: Console) throws {
    try console.output.writeDocument { TokenClaim.write(token, to: &$0) }
    guard !parsed.has("json") else { return }
    // On stderr, because the claims on stdout are JSON in both forms.
    let start = token.notBefore.map { "nbf is \(UTCTime(secondsSince1970: Int($0)).secondText), " } ?? ""
    console.log.info("\(start)exp is \(UTCTime(secondsSince1970: Int(token.expires)).secondText)")
  }
}
