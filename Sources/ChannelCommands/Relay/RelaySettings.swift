import CommandLineKit
import Platform
import Relay

/// Settings of a relay by their names, from the command line and the file of `--config`. A setting in both is refused.
struct RelaySettings {
  /// Keys of the file.
  static let keys = [
    "schema", "apps", "limits", "drop_after_s", "move_to", "drain_for_s", "ban_for_s", "listen", "advertise",
    "tls_cert", "tls_key", "allow_plain", "allow_origin", "metrics", "strict", "workers",
  ]
  /// Options of the one app of a command line, which `apps` replaces.
  static let appOptions = ["app-id", "app-secret-file", "allow-app-id-only"]
  /// Options of the limits, and the limits. Their keys are those of `limits`.
  static let limits: [(option: String, limit: any WritableKeyPath<RelayLimits, Int> & Sendable)] = [
    ("max-sessions", \.sessions), ("max-relay-channels", \.channels), ("max-channels", \.channelsPerSession),
    ("max-users", \.usersPerChannel), ("max-publishers", \.publishersPerChannel),
    ("max-requests-per-second", \.requestsPerSecond), ("max-messages-per-second", \.messagesPerSecond),
    ("max-waiting-connections", \.waitingConnections), ("max-speakers", \.speakers),
  ]
  /// Options of the drop times, their keys in `drop_after_s`, and the times.
  static let dropTimes: [(option: String, key: String, time: any WritableKeyPath<DropTimes, Int> & Sendable)] = [
    ("drop-after-communication", "communication", \.communication), ("drop-after-live", "live", \.live),
    ("drop-after-game", "game", \.game),
  ]

  /// The command line.
  let parsed: ParsedArguments
  /// The file of `--config`; nil without one.
  let file: ConfigurationFields?

  /// Reads the file of `--config`, if there is one.
  ///
  /// - Throws: exit code 64 if a setting is in both places, 66 and 78 for the file.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    self.parsed = parsed
    var file: ConfigurationFields?
    if let path = parsed.text("config") { file = try ConfigurationFields.read(path, keys: Self.keys) }
    self.file = file
    guard let file else { return }
    guard try file.integer("schema", in: 1...1) != nil else {
      throw CommandFailure(.badConfiguration, "\(file.file): the key 'schema' is missing; add \"schema\": 1")
    }
    for option in Self.appOptions where parsed.has(option) && file.has("apps") { throw contradiction(option, "apps") }
    if parsed.texts("app-secret-file").contains("-") {
      throw .usage(
        "--app-secret-file - cannot be read again with --config; name a file, or add 'apps' to \(file.file)")
    }
  }

  // MARK: Values

  /// Returns the text of an option or of its key.
  func text(_ option: String) throws(CommandFailure) -> Setting<String>? {
    guard let file = try holder(option) else {
      return parsed.text(option).map { Setting(value: $0, place: .option(option)) }
    }
    return try file.text(Self.key(option))
  }

  /// Returns the path of an option or of its key.
  func path(_ option: String) throws(CommandFailure) -> Setting<String>? {
    guard let setting = try text(option) else { return nil }
    guard case .key = setting.place, let file else { return setting }
    return Setting(value: file.resolve(setting.value), place: setting.place)
  }

  /// Returns the texts of a repeatable option or of its key.
  func texts(_ option: String) throws(CommandFailure) -> [Setting<String>] {
    guard let file = try holder(option) else {
      return parsed.texts(option).map { Setting(value: $0, place: .option(option)) }
    }
    return try file.texts(Self.key(option)) ?? []
  }

  /// Returns whether an option was given, or its key is true.
  func flag(_ option: String) throws(CommandFailure) -> Bool {
    guard let file = try holder(option) else { return parsed.has(option) }
    return try file.flag(Self.key(option)) ?? false
  }

  /// Returns the number of an option or of its key, in the option's range.
  func number(_ option: String) throws(CommandFailure) -> Double? {
    guard let file = try holder(option) else { return parsed.number(option) }
    guard case .number(let range, _)? = parsed.command.option(named: option)?.value else { return nil }
    return try file.number(Self.key(option), in: range)
  }

  /// Returns the number of workers; `auto` is one for each processor.
  func workerCount() throws(CommandFailure) -> Int {
    let range = 1...RelayServer.largestWorkerCount
    if let file = try holder("workers") {
      return try file.integer("workers", in: range, or: "auto") ?? Self.processorCount
    }
    guard let text = parsed.text("workers") else { return 1 }
    if text == "auto" { return Self.processorCount }
    guard let count = Int(text), range.contains(count) else {
      throw .usage("--workers \(text): it must be a whole number from 1 to \(range.upperBound), or auto")
    }
    return count
  }

  private static var processorCount: Int {
    min(RelayServer.largestWorkerCount, ProcessorCount.available)
  }

  /// Returns the limits, each in its option's range.
  func limits() throws(CommandFailure) -> RelayLimits {
    var limits = RelayLimits()
    let fields = try file?.object("limits", keys: Self.limits.map { Self.key($0.option) })
    for (option, limit) in Self.limits {
      let key = Self.key(option)
      guard let fields, fields.has(key) else {
        if let value = parsed.integer(option) { limits[keyPath: limit] = value }
        continue
      }
      guard !parsed.has(option) else { throw contradiction(option, "limits.\(key)") }
      guard case .integer(let range)? = parsed.command.option(named: option)?.value else { continue }
      if let value = try fields.integer(key, in: range) { limits[keyPath: limit] = value }
    }
    return limits
  }

  /// Returns the drop times, each in its option's range.
  func dropTimes() throws(CommandFailure) -> DropTimes {
    var times = DropTimes()
    let fields = try file?.object("drop_after_s", keys: Self.dropTimes.map(\.key))
    for (option, key, time) in Self.dropTimes {
      var seconds = parsed.number(option)
      if let fields, fields.has(key) {
        guard seconds == nil else { throw contradiction(option, "drop_after_s.\(key)") }
        guard case .number(let range, _)? = parsed.command.option(named: option)?.value else { continue }
        seconds = try fields.number(key, in: range)
      }
      if let seconds { times[keyPath: time] = Int(seconds * 1e9) }
    }
    return times
  }

  // MARK: Places

  /// Returns the file if it has the key of the option; nil if the command line decides.
  private func holder(_ option: String) throws(CommandFailure) -> ConfigurationFields? {
    guard let file, file.has(Self.key(option)) else { return nil }
    guard !parsed.has(option) else { throw contradiction(option, Self.key(option)) }
    return file
  }

  /// Returns the failure for a setting that is in neither place: exit code 78 if there is a file, else 64.
  func missing(_ key: String, _ remedy: String, orOption option: String) -> CommandFailure {
    guard let file else { return .usage("relay needs \(option), or --config FILE with '\(key)'") }
    return CommandFailure(
      .badConfiguration, "\(file.file): the key '\(key)' is missing; add \(remedy), or give \(option)")
  }

  private func contradiction(_ option: String, _ key: String) -> CommandFailure {
    .usage("--\(option) and the key '\(key)' of \(file?.file ?? "") set the same; keep one of them")
  }

  /// Returns the key of an option.
  static func key(_ option: String) -> String {
    let unit = ["drain-for", "ban-for"].contains(option) ? "_s" : ""
    return String(option.map { $0 == "-" ? "_" : $0 }) + unit
  }
}
