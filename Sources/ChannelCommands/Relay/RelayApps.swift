import CommandLineKit
import Cryptography
import Relay
import Signalling

/// Apps of a relay with their secrets, from the file of `--config` or from the command line.
struct RelayApps {
  /// Apps with different ids, at least one.
  private(set) var apps: [RelayApp] = []
  /// Secret of the relay's resume tokens: the same after a restart, so that users come back with their uids. Nil if the
  /// first app has no secret.
  private(set) var resumeSecret: SecretText?

  /// Paths of the files with the apps' secrets.
  private(set) var secretFiles: [String] = []

  private static let keys = ["id", "secret_files", "allow_app_id_only", "max_speakers", "channels"]
  private static let channelKeys = ["name", "max_speakers"]

  private static func fault(_ name: String) -> String {
    "'\(name)': \(AppID.fault(in: name)); an app id has \(AppID.rule)"
  }

  /// Reads the apps and their secrets.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for its secrets, 78 for the file and its secrets.
  init(_ settings: RelaySettings) throws(CommandFailure) {
    if let file = settings.file, let objects = try file.objects("apps", keys: Self.keys) {
      guard !objects.isEmpty else { throw file.place("apps").failure("has no app; add one with an 'id'") }
      for fields in objects { try add(fields) }
    } else {
      try add(settings.parsed, settings)
    }
  }

  private mutating func add(_ fields: ConfigurationFields) throws(CommandFailure) {
    guard let name = try fields.text("id") else { throw fields.place("id").failure("is missing; name the app") }
    guard let id = AppID(name.value) else { throw name.place.failure(Self.fault(name.value)) }
    guard !apps.contains(where: { $0.id == id }) else {
      throw name.place.failure("'\(id)' is the id of an app above; give each app once")
    }
    let files = try fields.texts("secret_files")
    if let files, !(1...AppSecret.maximumCount).contains(files.count) {
      throw fields.place("secret_files").failure(
        "has \(files.count) files; name 1 or \(AppSecret.maximumCount), or leave the key out")
    }
    var secrets: [TokenSecret] = []
    for setting in files ?? [] {
      do throws(CommandFailure) {
        let path = fields.resolve(setting.value)
        secrets.append(try AppSecret.read(path))
        secretFiles.append(path)
      } catch {
        throw setting.place.failure("names a file without a secret: \(error.sentence)")
      }
    }
    let isOpen = try fields.flag("allow_app_id_only") ?? false
    guard isOpen || !secrets.isEmpty else {
      throw fields.place("secret_files").failure(
        "is missing; name a file to verify tokens, or set 'allow_app_id_only' to do without")
    }
    add(
      id, secrets, allowsAppIDOnly: isOpen, speakers: try fields.integer("max_speakers", in: 0...65_535),
      try Self.rules(fields))
  }

  /// Reads the limits of single channels.
  private static func rules(_ fields: ConfigurationFields) throws(CommandFailure) -> [SpeakerRule] {
    guard let objects = try fields.objects("channels", keys: channelKeys) else { return [] }
    guard objects.count <= SpeakerRule.maximumCount else {
      throw fields.place("channels").failure(
        "has \(objects.count) channels; name at most \(SpeakerRule.maximumCount), or a beginning with '*' behind it")
    }
    var rules: [SpeakerRule] = []
    for object in objects {
      guard let name = try object.text("name") else {
        throw object.place("name").failure("is missing; name a channel, or a beginning with '*' behind it")
      }
      guard let speakers = try object.integer("max_speakers", in: 0...65_535) else {
        throw object.place("max_speakers").failure("is missing; 0 stands for all")
      }
      guard let rule = SpeakerRule(name.value, speakers: speakers) else {
        throw name.place.failure(
          "is '\(name.value)'; a channel's name has \(ChannelName.rule), and '*' stands at the end only")
      }
      rules.append(rule)
    }
    return rules
  }

  private mutating func add(_ parsed: ParsedArguments, _ settings: RelaySettings) throws(CommandFailure) {
    guard let name = parsed.text("app-id") else {
      throw settings.missing(
        "apps", "\"apps\": [{\"id\": \"demo\", \"secret_files\": [\"demo.secret\"]}]", orOption: "--app-id ID")
    }
    guard let id = AppID(name) else { throw .usage("--app-id \(Self.fault(name))") }
    let isOpen = parsed.has("allow-app-id-only")
    guard parsed.has("app-secret-file") || isOpen else {
      throw .usage("relay needs --app-secret-file FILE to verify tokens, or --allow-app-id-only to do without")
    }
    secretFiles = parsed.texts("app-secret-file")
    add(id, secretFiles.isEmpty ? [] : try AppSecret.read(parsed), allowsAppIDOnly: isOpen)
  }

  private mutating func add(
    _ id: AppID, _ secrets: [TokenSecret], allowsAppIDOnly: Bool, speakers: Int? = nil, _ rules: [SpeakerRule] = []
  ) {
    if apps.isEmpty {
      resumeSecret = secrets.first.map {
        SecretText(Base64URL.encode($0.authenticationCode(of: "resume tokens of audiopipe relay").span))
      }
    }
    apps.append(
      RelayApp(
        id: id, secret: secrets.first, otherSecret: secrets.count > 1 ? secrets[1] : nil,
        allowsAppIDOnly: allowsAppIDOnly, speakers: speakers, speakerRules: rules))
  }
}
