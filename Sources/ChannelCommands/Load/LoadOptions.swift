import CommandLineKit
import Glibc
import NetworkIO
import Platform
import RTP
import RelayClient
import RelayLoad
import Signalling

/// Arguments of `load`, typed and checked.
struct LoadOptions {
  let plan: LoadPlan
  let verification: TLSVerification
  /// The simulated network; nil for a relay that is reached by sockets.
  let network: NetworkOptions?
  let durationSeconds: Double
  let relayPID: Int?
  let maximumLossPercent: Double?
  let maximumDelayMilliseconds: Double?
  let format: LoadFormat
  let progress: ProgressMode
  let isQuiet: Bool

  /// Reads the options, and the secret.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a secret.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    isQuiet = try CommonOptions(parsed).isQuiet
    network = try Self.network(parsed)
    let (url, app) = network == nil ? try Self.relay(parsed) : ("ws://relay.invalid", AppID("load")!)
    durationSeconds = parsed.number("duration") ?? 10
    let ramp = parsed.number("ramp") ?? 20
    let (publishers, listeners) = (parsed.integer("publishers") ?? 1, parsed.integer("listeners") ?? 10)
    guard publishers + listeners > 0 else { throw .usage("--publishers 0 and --listeners 0 load nothing; raise one") }
    let signer = parsed.has("app-secret-file") ? TokenSigner(try AppSecret.read(parsed)[0]) : nil
    // Rejoins need the token until the end.
    let seconds = durationSeconds + Double(publishers + listeners) / ramp + 3_600
    let expires = Int64(time(nil)) + Int64(seconds)
    var plan = LoadPlan(
      relay: url, publisherCount: publishers, listenerCount: listeners, channels: try Self.channels(parsed)
    ) { channel, uid, role in
      let token = try? Token(
        app: app, scope: .channel(channel), user: .uid(uid), role: role == .broadcaster ? .broadcaster : .audience,
        expires: expires)
      guard let signer, let token else { return .app(app) }
      return .token(SecretText(signer.sign(token)))
    }
    plan.joinsPerSecond = ramp
    plan.frameMilliseconds = parsed.text("frame") == "10" ? 10 : 20
    plan.bitsPerSecond = (parsed.integer("bitrate") ?? 32) * 1_000
    plan.calendarNanoseconds =
      (time(nil) + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 - SystemClock().nowNanoseconds
    self.plan = plan
    verification = try RelayUserOptions.verification(parsed)
    relayPID = parsed.integer("relay-pid")
    if let relayPID, ProcessorTime.nanoseconds(ofProcess: relayPID) == nil {
      throw .usage("--relay-pid \(relayPID) is not a process of this machine; see pidof audiopipe")
    }
    maximumLossPercent = parsed.number("max-loss")
    maximumDelayMilliseconds = parsed.number("max-delay")
    guard !parsed.has("json") || !parsed.has("json-lines") else {
      throw .usage("--json and --json-lines contradict each other; give one of them")
    }
    format = parsed.has("json") ? .json : parsed.has("json-lines") ? .jsonLines : .text
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
  }

  /// Returns the simulated network of `--virtual`; nil without it.
  private static func network(_ parsed: ParsedArguments) throws(CommandFailure) -> NetworkOptions? {
    guard parsed.has("virtual") else {
      for option in NetworkOptions.declarations {
        try parsed.check(option.name, actsOn: ["virtual"], lacking: "no simulated network to apply to")
      }
      return nil
    }
    for option in ["url", "app-id", "app-secret-file", "ca-file", "fingerprint", "relay-pid"] where parsed.has(option) {
      throw .usage("--\(option) is of a real relay, and --virtual has one of its own; leave one of them out")
    }
    return try NetworkOptions(parsed)
  }

  private static func relay(_ parsed: ParsedArguments) throws(CommandFailure) -> (url: String, app: AppID) {
    guard let url = parsed.text("url") else {
      throw .usage("load needs --url ws://HOST:PORT of a relay, or --virtual for one on a simulated network")
    }
    do throws(WebSocketError) { _ = try WebSocketURL(url) } catch { throw .usage("--url: \(error)") }
    guard let name = parsed.text("app-id") else { throw .usage("load needs --app-id ID, the app of the relay") }
    guard let app = AppID(name) else {
      throw .usage("--app-id '\(name)': \(AppID.fault(in: name)); an app id has \(AppID.rule)")
    }
    return (url, app)
  }

  private static func channels(_ parsed: ParsedArguments) throws(CommandFailure) -> [ChannelName] {
    let (name, count) = (parsed.text("channel") ?? "load", parsed.integer("channels") ?? 1)
    guard count > 1 else { return [try TokenOptions.channel(name)] }
    var channels: [ChannelName] = []
    for number in 1...count { channels.append(try TokenOptions.channel("\(name)-\(number)")) }
    return channels
  }
}
