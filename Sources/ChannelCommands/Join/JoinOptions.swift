import Channels
import CommandLineKit
import Cryptography
import Devices
import Glibc
import NetworkIO
import Platform
import Signalling
import SoundOptions

/// Arguments of `join`, typed and checked.
struct JoinOptions {
  let url: String
  let appID: String
  let token: String
  let channel: ChannelName
  let user: RtcUser
  let media: ChannelMediaOptions
  let verification: TLSVerification
  /// File to publish; nil: none, or a microphone.
  let publishPath: String?
  /// Device to publish.
  let microphone: DeviceChoice?
  /// Device on which the others are heard.
  let loudspeaker: DeviceChoice?
  let deviceOptions: DeviceOptions
  let outputs: JoinOutputs
  /// Files that are read, by their options.
  let inputs: [(option: String, path: String)]
  let durationSeconds: Double?
  /// Whether a report in JSON goes to stdout.
  let showsReport: Bool
  /// Whether events go to stdout.
  let showsEvents: Bool

  /// Reads the options, and the token.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a token's file.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    guard let url = parsed.text("url") else { throw .usage("join needs --url ws://HOST:PORT of a relay") }
    self.url = url
    guard let name = parsed.text("channel") else { throw .usage("join needs --channel NAME") }
    channel = try TokenOptions.channel(name)
    token = try parsed.text("token-file").map { path throws(CommandFailure) in try TokenText.read(path) } ?? ""
    appID = try Self.appID(parsed, token: token)
    switch try TokenOptions.user(parsed) {
    case .account(let account)?: user = .account(account.text)
    case .uid(let uid)?: user = .uid(uid)
    case nil: user = .uid(0)
    }
    let published = parsed.text("publish")
    publishPath = published == Self.microphoneWord ? nil : published
    microphone = try Self.device(
      parsed, "capture-device", isWanted: published == Self.microphoneWord, by: "--publish mic")
    loudspeaker = try Self.device(parsed, "playout-device", isWanted: parsed.has("play"), by: "--play")
    deviceOptions = DeviceOptions(parsed)
    let role = parsed.text("role") ?? (published == nil ? "audience" : "broadcaster")
    guard published == nil || role == "broadcaster" else {
      throw .usage("--publish needs --role broadcaster; the audience does not publish")
    }
    media = ChannelMediaOptions(
      publishesAudio: published != nil, role: role == "broadcaster" ? .broadcaster : .audience,
      profile: parsed.text("profile").flatMap { Self.profiles[$0] })
    verification = try Self.verification(parsed)
    outputs = JoinOutputs(
      mixedPath: parsed.text("record-mixed"), playbackPath: parsed.text("record-playback"),
      eachFolder: parsed.text("each-out"), playoutPath: loudspeaker?.filePath, overwrites: parsed.has("overwrite"))
    let files = ["publish", "token-file", "ca-file"].compactMap { name in
      parsed.text(name).flatMap { ["-", Self.microphoneWord].contains($0) ? nil : ("--\(name)", $0) }
    }
    inputs = files + (microphone?.filePath.map { [("--capture-device", $0)] } ?? [])
    durationSeconds = parsed.number("duration")
    showsReport = parsed.has("json")
    let events = parsed.text("events")
    guard events == nil || events == "-" else { throw .usage("--events writes to stdout; give --events -") }
    showsEvents = events == "-" || parsed.has("json-lines")
    guard !showsEvents || !showsReport else {
      throw .usage("--json and --events contradict each other; give one of them")
    }
  }

  /// Word of `--publish` for a device; a file of that name is `./mic`.
  private static let microphoneWord = "mic"

  /// Returns the device of an option, or the default one; nil if none is wanted.
  private static func device(
    _ parsed: ParsedArguments, _ name: String, isWanted: Bool, by other: String
  ) throws(CommandFailure) -> DeviceChoice? {
    guard isWanted else {
      guard !parsed.has(name) else { throw .usage("--\(name) names a device, which needs \(other)") }
      return nil
    }
    return try DeviceChoice(parsed.text(name) ?? "default", option: "--\(name)")
  }

  static let profiles: [String: ChannelProfile] = [
    "communication": .communication, "live": .live, "game-free": .gameFree, "game-command": .gameCommand,
  ]

  /// Returns the app: that of `--app-id`, or else that of the token.
  private static func appID(_ parsed: ParsedArguments, token: String) throws(CommandFailure) -> String {
    if let name = parsed.text("app-id") { return name }
    guard !token.isEmpty else {
      throw .usage("join needs --token-file FILE, or --app-id ID at a relay that allows the app id alone")
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
