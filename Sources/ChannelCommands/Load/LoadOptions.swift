import CommandLineKit
import Glibc
import NetworkIO
import OfflineProcessing
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
  /// Processes that serve the users.
  let processCount: Int
  /// Command line of a process that serves a share of the users.
  let workerWords: [String]
  /// Meter of the relay's processor time; nil for none.
  let relayMeter: RelayMeter?
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
    processCount = try Self.processCount(parsed, userCount: publishers + listeners)
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
    plan.isInStep = parsed.has("in-step")
    plan.speakerCount = parsed.integer("speakers") ?? 0
    plan.heardCount = parsed.integer("hear") ?? 0
    guard plan.speakerCount <= publishers, plan.heardCount <= publishers else {
      throw .usage("--speakers and --hear are parts of the --publishers \(publishers); lower them")
    }
    guard plan.speakerCount == 0 || plan.heardCount == 0 else {
      throw .usage("--speakers lets publishers take turns, and --hear names the same ones always; give one of them")
    }
    plan.frameMilliseconds = parsed.text("frame") == "10" ? 10 : 20
    plan.bitsPerSecond = (parsed.integer("bitrate") ?? 32) * 1_000
    plan.calendarNanoseconds =
      (time(nil) + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 - SystemClock().nowNanoseconds
    self.plan = plan
    verification = try RelayUserOptions.verification(parsed)
    workerWords = parsed.words(of: Self.workerOptions)
    relayMeter = try Self.relayMeter(parsed)
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
    for option in ["url", "app-id", "app-secret-file", "ca-file", "fingerprint", "relay-pid", "relay-metrics"]
    where parsed.has(option) {
      throw .usage("--\(option) is of a real relay, and --virtual has one of its own; leave one of them out")
    }
    if let processes = parsed.text("processes"), processes != "1" {
      throw .usage(
        "--processes \(processes) is of a real relay, and --virtual runs in one process; leave one of them out")
    }
    return try NetworkOptions(parsed)
  }

  /// Options that the processes of a load share.
  private static let workerOptions: Set = [
    "url", "app-id", "app-secret-file", "ca-file", "fingerprint", "publishers", "listeners", "ramp", "channel",
    "channels", "in-step", "speakers", "hear", "frame", "bitrate", "duration",
  ]
  /// Most processes of a load.
  private static let largestProcessCount = 64

  private static func processCount(_ parsed: ParsedArguments, userCount: Int) throws(CommandFailure) -> Int {
    let text = parsed.text("processes") ?? "1"
    if text == "auto" { return min(userCount, largestProcessCount, WorkerPool.processorCount) }
    guard let count = Int(text), (1...largestProcessCount).contains(count) else {
      throw .usage("--processes '\(text)' is not a whole number from 1 to \(largestProcessCount), and not auto")
    }
    guard count <= userCount else {
      throw .usage("--processes \(count) is more than the \(userCount) users, and each process serves one; lower it")
    }
    guard count > 1 else { return count }
    // Every process reads the files.
    for path in parsed.texts("app-secret-file") + parsed.texts("ca-file") {
      var status = stat()
      guard path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG else { continue }
      throw .usage("\(path) can be read once, and --processes \(count) reads it several times; give a regular file")
    }
    return count
  }

  private static func relayMeter(_ parsed: ParsedArguments) throws(CommandFailure) -> RelayMeter? {
    if let url = parsed.text("relay-metrics") {
      guard !parsed.has("relay-pid") else {
        throw .usage("--relay-pid and --relay-metrics measure the same; give one of them")
      }
      do throws(HTTPRequestError) { return .metrics(try HTTPRequest(url)) } catch {
        throw .usage("--relay-metrics: \(error)")
      }
    }
    guard let identifier = parsed.integer("relay-pid") else { return nil }
    guard ProcessorTime.nanoseconds(ofProcess: identifier) != nil else {
      throw .usage("--relay-pid \(identifier) is not a process of this machine; see pidof audiopipe")
    }
    return .process(identifier)
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

extension LoadOptions {
  /// Reads the relay's processor time at the end of a load. Figures without it are better than none.
  func readRelay(_ console: Console) -> RelayMeter.Reading? {
    do throws(CommandFailure) { return try relayMeter?.read() } catch {
      console.log.warning(error.sentence)
      return nil
    }
  }

  /// Makes the progress of a load: its ramp and its measurement.
  func makeProgress(_ console: Console) -> Progress {
    let (wall, ramp) = (SystemClock(), Double(plan.userCount) / plan.joinsPerSecond)
    let start = wall.nowNanoseconds
    return Progress(
      mode: progress.resolved(
        isInteractive: console.canShowBar(besideLines: format == .jsonLines), isQuiet: isQuiet),
      total: .seconds(ramp + durationSeconds), errors: console.errors,
      now: { .nanoseconds(wall.nowNanoseconds - start) })
  }
}
