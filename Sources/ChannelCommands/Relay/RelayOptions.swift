import CommandLineKit
import Cryptography
import NetworkIO
import Platform
import Relay
import Signalling

/// Arguments of `relay`, typed and checked.
struct RelayOptions {
  let addresses: [SocketAddress]
  let tls: TLSFiles?
  let configuration: RelayConfiguration
  /// Time of a drain; 0 for none.
  let drainNanoseconds: Int

  /// Reads the options, and the secrets.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for secrets.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    addresses = try parsed.texts("listen").map { text throws(CommandFailure) in try Self.address(text, "listen") }
    guard !addresses.isEmpty else { throw .usage("relay needs --listen HOST:PORT, such as --listen 127.0.0.1:7000") }
    guard Set(addresses.filter { $0.port != 0 }).count == addresses.count(where: { $0.port != 0 }) else {
      throw .usage("--listen names an address twice; give each once")
    }
    tls = try Self.tls(parsed)
    let reachable = addresses.first { !$0.isLoopback }
    if tls == nil, let reachable, !parsed.has("allow-plain") {
      throw .usage(
        "--listen \(reachable) can be reached by others, and tokens would be readable without TLS; add --tls-cert and --tls-key, "
          + "or --allow-plain behind a proxy that has TLS")
    }
    let secrets = parsed.has("app-secret-file") ? try AppSecret.read(parsed) : []
    var configuration = RelayConfiguration(apps: [try Self.app(parsed, secrets)], mediaAddresses: [])
    // The same after a restart, so that users come back with their uids.
    configuration.resumeSecret = secrets.first.map {
      SecretText(Base64URL.encode($0.authenticationCode(of: "resume tokens of audiopipe relay").span))
    }
    configuration.mediaAddresses = try Self.mediaAddresses(parsed, addresses)
    configuration.alternativeRelays = parsed.texts("move-to")
    for url in configuration.alternativeRelays where !url.hasPrefix("ws://") && !url.hasPrefix("wss://") {
      throw .usage("--move-to '\(url)' is not a WebSocket; write wss://HOST:PORT")
    }
    drainNanoseconds = Int((parsed.number("drain-for") ?? 60) * 1e9)
    configuration.drainNanoseconds = drainNanoseconds
    var limits = RelayLimits()
    if let value = parsed.integer("max-sessions") { limits.sessions = value }
    if let value = parsed.integer("max-relay-channels") { limits.channels = value }
    if let value = parsed.integer("max-channels") { limits.channelsPerSession = value }
    if let value = parsed.integer("max-users") { limits.usersPerChannel = value }
    if let value = parsed.integer("max-publishers") { limits.publishersPerChannel = value }
    if let value = parsed.integer("max-requests-per-second") { limits.requestsPerSecond = value }
    configuration.limits = limits
    self.configuration = configuration
  }

  private static func app(_ parsed: ParsedArguments, _ secrets: [TokenSecret]) throws(CommandFailure) -> RelayApp {
    guard let name = parsed.text("app-id") else { throw .usage("relay needs --app-id ID") }
    guard let id = AppID(name) else {
      throw .usage(
        "--app-id '\(name)' is not an app id; it has 1 to \(AppID.maximumByteCount) letters, digits and marks")
    }
    let isOpen = parsed.has("allow-app-id-only")
    guard parsed.has("app-secret-file") || isOpen else {
      throw .usage("relay needs --app-secret-file FILE to verify tokens, or --allow-app-id-only to do without")
    }
    return RelayApp(
      id: id, secret: secrets.first, otherSecret: secrets.count > 1 ? secrets[1] : nil, allowsAppIDOnly: isOpen)
  }

  private static func tls(_ parsed: ParsedArguments) throws(CommandFailure) -> TLSFiles? {
    switch (parsed.text("tls-cert"), parsed.text("tls-key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return TLSFiles(certificateChain: certificate, privateKey: key)
    default: throw .usage("--tls-cert and --tls-key belong together; give both")
    }
  }

  /// Returns the addresses of candidates: each advertised host with the port of the listener of its family.
  private static func mediaAddresses(
    _ parsed: ParsedArguments, _ addresses: [SocketAddress]
  ) throws(CommandFailure) -> [SocketAddress] {
    var found: [SocketAddress] = []
    for text in parsed.texts("advertise") {
      guard let host = SocketAddress(host: text, port: 0) else {
        throw .usage("--advertise '\(text)' is not an address; write it in digits, such as 203.0.113.7")
      }
      guard let listener = addresses.first(where: { $0.isIPv6 == host.isIPv6 }) else {
        throw .usage("--advertise \(text) has no --listen of its family; add one")
      }
      guard listener.port != 0 else { throw .usage("--advertise needs a port in --listen; name one instead of 0") }
      found.append(host.withPort(listener.port))
    }
    return found
  }

  private static func address(_ text: String, _ option: String) throws(CommandFailure) -> SocketAddress {
    do {
      return try SocketAddress(text)
    } catch {
      throw .usage("--\(option) '\(text)': \(error)")
    }
  }
}
