import Channels
import CommandLineKit
import Cryptography
import Glibc
import NetworkIO
import Platform
import Signalling

/// The relay of a command, and the token of its user there.
struct RelayUserOptions {
  let url: String
  let appID: String
  let token: String
  let verification: TLSVerification

  /// Reads the options, and the token.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a token's file.
  init(_ parsed: ParsedArguments, of command: String) throws(CommandFailure) {
    guard let url = parsed.text("url") else { throw .usage("\(command) needs --url ws://HOST:PORT of a relay") }
    self.url = url
    token = try parsed.text("token-file").map { path throws(CommandFailure) in try TokenText.read(path) } ?? ""
    appID = try Self.appID(parsed, token: token, command)
    verification = try Self.verification(parsed)
  }

  /// Options of the relay and the user's token.
  static let declarations = [
    OptionDeclaration(
      "url", .text, placeholder: "ws://HOST:PORT", group: "Channel", help: "WebSocket of the relay; wss:// for TLS"),
    OptionDeclaration("token-file", .file, group: "Channel", help: "File with the token; '-' is stdin"),
    OptionDeclaration(
      "app-id", .text, placeholder: "ID", group: "Channel", help: "App of the channel, for relays that need no token"),
    OptionDeclaration(
      "ca-file", .file, group: "Channel", help: "Root certificates for wss://, in PEM, not the system's"),
    OptionDeclaration(
      "fingerprint", .text, placeholder: "DIGITS", group: "Channel",
      help: "SHA-256 fingerprint of the relay's certificate, which then needs no root"),
  ]

  /// Returns the app: that of `--app-id`, or else that of the token.
  private static func appID(_ parsed: ParsedArguments, token: String, _ command: String) throws(CommandFailure)
    -> String
  {
    if let name = parsed.text("app-id") { return name }
    guard !token.isEmpty else {
      throw .usage("\(command) needs --token-file FILE, or --app-id ID at a relay that allows the app id alone")
    }
    do {
      return try TokenVerifier.claimedApp(in: token).text
    } catch {
      throw CommandFailure(.badData, "\(parsed.text("token-file") ?? ""): \(error)")
    }
  }

  /// Returns the rule for the relay's certificate, from `--ca-file` and `--fingerprint`.
  static func verification(_ parsed: ParsedArguments) throws(CommandFailure) -> TLSVerification {
    let text = parsed.text("fingerprint")
    guard text == nil || !parsed.has("ca-file") else {
      throw .usage("--ca-file and --fingerprint contradict each other; give one of them")
    }
    if let path = parsed.text("ca-file") {
      guard access(path, R_OK) == 0 else {
        throw CommandFailure(.noInput, "\(path): cannot be read (\(systemErrorText(errno))); check --ca-file")
      }
      return .roots(file: path)
    }
    guard let text else { return .systemRoots }
    guard let fingerprint = CertificateFingerprint(digits: text) else {
      throw .usage("--fingerprint '\(text)' is not one; write the 64 digits of openssl x509 -fingerprint -sha256")
    }
    return .pinned(fingerprint)
  }
}
