package import CommandLineKit
import JSON
import NetworkIO
import Platform
import Relay

/// `audiopipe relay`: the server of channels.
package enum RelayCommand {
  package static let declaration = CommandDeclaration(
    name: "relay",
    summary: "Serve channels: users join with tokens and hear each other",
    examples: [
      "audiopipe relay --dev",
      "audiopipe relay --config relay.json --metrics 127.0.0.1:9090",
      "audiopipe relay --listen 0.0.0.0:443 --advertise 203.0.113.7 --tls-cert chain.pem --tls-key key.pem --app-id demo "
        + "--app-secret-file secret.txt",
    ],
    notes: [
      "Each --listen opens one port number for the WebSocket of signalling (TCP) and for media (UDP).",
      "With --workers N, media of a channel is in one of N threads, each with a UDP port: that of --listen and the N - 1 after "
        + "it, which a firewall must let pass.",
      "Without a certificate the WebSocket is plain, and tokens could be read on the network: then --listen must be an address "
        + "of this machine alone, such as 127.0.0.1, unless --allow-plain is given. Media is always encrypted.",
      "The relay forwards packets and does not mix. SIGTERM begins a drain: new sessions are refused, clients are told to "
        + "move if --move-to names another relay, and the relay waits for them up to --drain-for. ^C ends it at once.",
      "--config has several apps and the settings of these options in JSON; a setting is in the file or on the command line. "
        + "SIGHUP reads the file, its secrets and the certificates again: apps, secrets, limits, drop_after_s, ban_for_s, move_to "
        + "and drain_for_s change at once, the other settings with a restart. A faulty file changes nothing.",
      "--metrics serves GET /metrics for Prometheus and GET /healthz, which is 503 during a drain.",
      "--verbose logs a line for each user that joins, leaves or is refused, with its address and the texts of its client.",
    ],
    options: [
      OptionDeclaration(
        "config", .file, group: "Relay", help: "File with apps and settings in JSON; SIGHUP reads it again"),
      OptionDeclaration(
        "dev", group: "Relay",
        help: "For development on this machine: --listen 127.0.0.1:7000 --app-id dev --allow-app-id-only"),
      OptionDeclaration(
        "listen", .text, placeholder: "HOST:PORT", isRepeatable: true, group: "Relay",
        help: "Local address for signalling and media; port 0 lets the system choose"),
      OptionDeclaration(
        "advertise", .text, placeholder: "HOST", isRepeatable: true, group: "Relay",
        help:
          "Address or name at which clients reach the media port, if it differs from --listen, as behind address "
          + "translation; a name is looked up every 30 s"),
      OptionDeclaration("app-id", .text, placeholder: "ID", group: "Relay", help: "App of the relay's channels"),
      AppSecret.declaration(group: "Relay"),
      OptionDeclaration(
        "allow-app-id-only", group: "Relay", help: "Let clients join without a token, for 24 h at a time"),
      OptionDeclaration(
        "allow-origin", .text, placeholder: "ORIGIN", isRepeatable: true, group: "Relay",
        help: "Origin of web pages that may join with an app id alone, such as https://calls.example; * for all"),
      OptionDeclaration("tls-cert", .file, group: "Relay", help: "Certificate chain of the WebSocket, in PEM"),
      OptionDeclaration("tls-key", .file, group: "Relay", help: "Private key of the certificate, in PEM"),
      OptionDeclaration(
        "allow-plain", group: "Relay", help: "Allow a WebSocket without TLS at an address that others can reach"),
      OptionDeclaration(
        "move-to", .text, placeholder: "URL", isRepeatable: true, group: "Relay",
        help: "WebSocket of another relay, which clients get when this one drains"),
      OptionDeclaration(
        "drain-for", .number(0...86_400, unit: "s"), group: "Relay", default: "60",
        help: "Time for clients to leave after SIGTERM"),
      OptionDeclaration(
        "ban-for", .number(0...86_400, unit: "s"), group: "Relay", default: "600",
        help: "Time for which a user that floods is kept out; without a token, its session and address for 60 s at most"
      ),
      OptionDeclaration(
        "drop-after-communication", .number(1...3_600, unit: "s"), group: "Relay", default: "20",
        help: "Time without a packet or message after which a user of the profile communication is dropped"),
      OptionDeclaration(
        "drop-after-live", .number(1...3_600, unit: "s"), group: "Relay", default: "25",
        help: "The same for the profile live"),
      OptionDeclaration(
        "drop-after-game", .number(1...3_600, unit: "s"), group: "Relay", default: "15",
        help: "The same for the two game profiles"),
      OptionDeclaration(
        "metrics", .text, placeholder: "HOST:PORT", group: "Relay",
        help: "Local address for metrics and health over HTTP; port 0 lets the system choose"),
      OptionDeclaration(
        "workers", .text, placeholder: "N|auto", group: "Relay", default: "1",
        help:
          "Threads for media, each with a UDP port: that of --listen, the next one, and so on; auto for one a processor"
      ),
      OptionDeclaration(
        "strict", group: "Relay", help: "Do not start if every user of the machine can read a secret or the key"),
      OptionDeclaration(
        "max-sessions", .integer(1...1_000_000), group: "Limits", default: "10000", help: "Sessions of the relay"),
      OptionDeclaration(
        "max-relay-channels", .integer(1...1_000_000), group: "Limits", default: "10000", help: "Channels of the relay"),
      OptionDeclaration(
        "max-channels", .integer(1...1_000), group: "Limits", default: "100", help: "Channels of one session"),
      OptionDeclaration(
        "max-users", .integer(1...100_000), group: "Limits", default: "1000", help: "Users of one channel"),
      OptionDeclaration(
        "max-publishers", .integer(1...100_000), group: "Limits", default: "100",
        help: "Users of one channel that may publish"),
      OptionDeclaration(
        "max-requests-per-second", .integer(1...100_000), group: "Limits", default: "200",
        help: "Requests of one session, and 20 more for each channel beyond the first"),
      OptionDeclaration(
        "max-messages-per-second", .integer(1...100_000), group: "Limits", default: "50",
        help: "Messages of one session to users"),
      OptionDeclaration(
        "max-waiting-connections", .integer(1...100_000), group: "Limits", default: "200",
        help: "Connections of one address without a session"),
      OptionDeclaration(
        "max-speakers", .integer(0...65_535), group: "Limits", default: "0",
        help: "Users that a listener hears at the same time: the loudest ones; 0 for all"),
    ] + CommonOptions.declarations)

  /// Runs the relay until a signal.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for files, 69 for an address that cannot be used. 78 is
  ///   for a wrong configuration file, and for secrets that others can read if `strict`.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let parsed = try forDevelopment(parsed)
    let options = try RelayOptions(parsed)
    // A service manager's reload must not end a relay without a file, either.
    InterruptHandler.reloadOnHangUp()
    var configuration = options.configuration
    guard let offered = try OfferedAddresses(options.advertised, console) else {
      return InterruptHandler.pending ?? .interrupted
    }
    configuration.mediaAddresses = offered.addresses
    let relay: RelayServer
    let monitor: HTTPServer?
    do {
      relay = try RelayServer(
        configuration, at: options.addresses, tls: options.tls, logsUsers: options.logsUsers)
      let metrics = RelayMetrics(relay)
      monitor = try options.metricsAddress.map { try HTTPServer(at: $0, onRequest: metrics.answer) }
      try relay.start()
    } catch {
      throw CommandFailure(.unavailable, "\(error)")
    }
    defer {
      monitor?.stop()
      relay.stop()
    }
    let scheme = options.tls == nil ? "ws" : "wss"
    for address in relay.localAddresses { console.log.info("listening at \(scheme)://\(address)") }
    if relay.mediaAddresses.isEmpty {
      console.log.warning("the system names no address of this machine, so that no join can succeed; add --advertise")
    } else if relay.mediaAddresses != relay.localAddresses {
      let range = configuration.workerCount > 1 ? " (each with the ports of all workers)" : ""
      let addresses = relay.mediaAddresses.map(\.description).joined(separator: ", ") + range
      console.log.info("media (UDP) is offered at \(addresses)")
    }
    let workers = configuration.workerCount
    if workers > 1 {
      for address in relay.localAddresses {
        console.log.info(
          "the \(workers) workers at \(address) take UDP ports \(address.port) to \(Int(address.port) + workers - 1); let "
            + "a firewall pass them all")
      }
    }
    if parsed.has("dev"), let address = relay.localAddresses.first {
      console.log.info(
        "for development: programs of this machine join without a token, as by: audiopipe join --url ws://\(address) "
          + "--app-id dev --channel room")
    }
    for sentence in options.exposedFiles { console.log.warning(sentence) }
    if let monitor { console.log.info("metrics at http://\(monitor.localAddress)/metrics") }
    tellReceiveBuffer(of: relay, console)
    var run = RelayRun(parsed, options, offered, relay, console)
    run.wait()
    let ending = InterruptHandler.pending
    relay.stop()
    run.writeUserLog()
    let statistics = relay.statistics
    if parsed.has("json") {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        json.object("counters") { json in
          for (name, value) in statistics.counters.named { json.field(name.replacingHyphens, value) }
        }
      }
    } else {
      let counters = statistics.counters
      console.log.info(
        "\(counters.packets) packets came, \(counters.forwarded) were forwarded, \(counters.retransmitted) of them again; "
          + "\(counters.refusals) requests were refused")
    }
    return ending ?? .success
  }

  /// Replaces `--dev` by the options that it stands for; `--listen` can name another address.
  private static func forDevelopment(_ parsed: ParsedArguments) throws(CommandFailure) -> ParsedArguments {
    guard parsed.has("dev") else { return parsed }
    for option in ["config", "advertise", "allow-plain", "tls-cert", "tls-key", "app-id", "app-secret-file"]
    where parsed.has(option) {
      throw .usage("--dev is for this machine alone, with app 'dev' and no token; leave it or --\(option) out")
    }
    var whole = parsed
    let values: [(String, OptionValue)] = [
      ("listen", .text("127.0.0.1:7000")), ("app-id", .text("dev")), ("allow-app-id-only", .flag),
    ]
    for (name, value) in values where !parsed.has(name) {
      if let option = parsed.command.option(named: name) { whole.append(value, to: option) }
    }
    return whole
  }

  private static func tellReceiveBuffer(of relay: RelayServer, _ console: Console) {
    let (given, wanted) = relay.receiveBuffer
    guard given < wanted else { return }
    console.log.info(
      "the system gives UDP sockets \(given / 1_024) KiB for datagrams that wait, and the relay wants \(wanted / 1_024); "
        + "packets of many users may be lost; raise it by: sysctl -w net.core.rmem_max=\(wanted)")
  }
}

extension String {
  /// The text with `_` for `-`, as names in JSON have it.
  fileprivate var replacingHyphens: String { String(map { $0 == "-" ? "_" : $0 }) }
}
