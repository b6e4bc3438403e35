import CommandLineKit
import NetworkIO
import Platform
import Relay

/// Settings of `relay`, typed and checked.
struct RelayOptions {
  let addresses: [SocketAddress]
  let tls: TLSFiles?
  /// Settings of the relay, without media addresses.
  let configuration: RelayConfiguration
  /// Hosts at which clients reach the media ports; empty for the addresses of the machine.
  let advertised: AdvertisedHosts
  /// Address of the metrics; nil without them.
  let metricsAddress: SocketAddress?
  /// Path of the configuration file; nil without one.
  let configPath: String?
  /// Whether a line is logged for each user that joins, leaves or is refused.
  let logsUsers: Bool
  /// Sentences about files with secrets that every user of the machine can read.
  let exposedFiles: [String]

  /// Reads the options, the configuration file and the secrets.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for its files. 78 is for a wrong configuration file
  ///   and, if `strict`, for secrets that others can read.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    logsUsers = try CommonOptions(parsed).logLevel == .debug
    let settings = try RelaySettings(parsed)
    configPath = settings.file?.file
    let listeners = try Self.addresses(settings)
    addresses = listeners.map(\.value)
    tls = try Self.tls(settings)
    let allowsPlain = try settings.flag("allow-plain")
    if tls == nil, !allowsPlain, let reachable = listeners.first(where: { !$0.value.isLoopback }) {
      let naming = reachable.place.naming
      throw reachable.place.failure(
        "\(reachable.value) can be reached by others, and tokens would be readable without TLS; add \(naming("tls-cert")) "
          + "and \(naming("tls-key")), or \(naming("allow-plain")) behind a proxy that has TLS")
    }
    let metrics = try settings.text("metrics")
    metricsAddress = try metrics.map { setting throws(CommandFailure) in try Self.address(setting) }
    if let metrics, let metricsAddress, !metricsAddress.isLoopback, !allowsPlain {
      throw metrics.place.failure(
        "\(metricsAddress) can be reached by others, and metrics have no TLS; use an address such as 127.0.0.1:9090, "
          + "or add \(metrics.place.naming("allow-plain"))")
    }
    let apps = try RelayApps(settings)
    var configuration = RelayConfiguration(apps: apps.apps, mediaAddresses: [])
    configuration.resumeSecret = apps.resumeSecret
    advertised = try AdvertisedHosts(try settings.texts("advertise"), listeners: addresses)
    let origins = try settings.texts("allow-origin")
    for origin in origins where !Self.isOrigin(origin.value) {
      throw origin.place.failure("'\(origin.value)' is not an origin; write https://HOST or https://HOST:PORT, or *")
    }
    configuration.allowedOrigins = Set(origins.map(\.value))
    let relays = try settings.texts("move-to")
    for relay in relays where !relay.value.hasPrefix("ws://") && !relay.value.hasPrefix("wss://") {
      throw relay.place.failure("'\(relay.value)' is not a WebSocket; write wss://HOST:PORT")
    }
    configuration.alternativeRelays = relays.map(\.value)
    configuration.drainNanoseconds = Int((try settings.number("drain-for") ?? 60) * 1e9)
    configuration.banNanoseconds = Int((try settings.number("ban-for") ?? 600) * 1e9)
    configuration.limits = try settings.limits()
    configuration.dropTimes = try settings.dropTimes()
    configuration.workerCount = try settings.workerCount()
    try Self.checkPorts(of: configuration.workerCount, listeners)
    self.configuration = configuration
    exposedFiles = (apps.secretFiles + [tls?.privateKey].compactMap { $0 }).compactMap(SecretFile.exposure)
    if try settings.flag("strict"), let exposed = exposedFiles.first {
      throw CommandFailure(.badConfiguration, exposed)
    }
  }

  /// Names of the settings that differ from those of a relay that runs, and that only a restart can change.
  func changesForRestart(from running: RelayOptions) -> [String] {
    var names: [String] = []
    if addresses != running.addresses { names.append("listen") }
    if advertised.isEmpty != running.advertised.isEmpty { names.append("advertise") }
    if (tls == nil) != (running.tls == nil) { names.append("tls_cert") }
    if metricsAddress != running.metricsAddress { names.append("metrics") }
    if configuration.workerCount != running.configuration.workerCount { names.append("workers") }
    return names
  }

  private static func addresses(_ settings: RelaySettings) throws(CommandFailure) -> [Setting<SocketAddress>] {
    var found: [Setting<SocketAddress>] = []
    for setting in try settings.texts("listen") {
      let address = try address(setting)
      guard address.port == 0 || !found.contains(where: { $0.value == address }) else {
        throw setting.place.failure("names \(address) twice; give each address once")
      }
      found.append(Setting(value: address, place: setting.place))
    }
    guard !found.isEmpty else {
      throw settings.missing("listen", "\"listen\": [\"127.0.0.1:7000\"]", orOption: "--listen HOST:PORT")
    }
    return found
  }

  /// Refuses addresses without a port for each worker, and addresses with ports of each other's workers.
  private static func checkPorts(of workers: Int, _ listeners: [Setting<SocketAddress>]) throws(CommandFailure) {
    for listener in listeners where Int(listener.value.port) + workers > 65_536 {
      throw listener.place.failure(
        "\(listener.value) leaves no ports for \(workers) workers, which take one each; use a lower port")
    }
    for (index, listener) in listeners.enumerated() where listener.value.port > 0 {
      for other in listeners[..<index] where other.value.port > 0 && listener.value.hasSameHost(as: other.value) {
        guard abs(Int(listener.value.port) - Int(other.value.port)) < workers else { continue }
        throw listener.place.failure(
          "\(listener.value) is among the \(workers) ports of the workers at \(other.value), or near them; leave \(workers) "
            + "ports between two addresses")
      }
    }
  }

  private static func isOrigin(_ text: String) -> Bool {
    if text == "*" { return true }
    let prefix = ["http://", "https://"].first { text.hasPrefix($0) }
    guard let prefix, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    let host = text.dropFirst(prefix.count)
    return !host.isEmpty && !host.contains("/")
  }

  private static func tls(_ settings: RelaySettings) throws(CommandFailure) -> TLSFiles? {
    switch (try settings.path("tls-cert"), try settings.path("tls-key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return TLSFiles(certificateChain: certificate.value, privateKey: key.value)
    case (let certificate?, nil):
      throw certificate.place.failure("needs the certificate's key; add \(certificate.place.naming("tls-key"))")
    case (nil, let key?):
      throw key.place.failure("needs the key's certificate; add \(key.place.naming("tls-cert"))")
    }
  }

  private static func address(_ setting: Setting<String>) throws(CommandFailure) -> SocketAddress {
    do {
      return try SocketAddress(setting.value)
    } catch {
      throw setting.place.failure("'\(setting.value)': \(error)")
    }
  }
}
