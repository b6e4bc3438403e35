import AudioFiles
import CallSimulation
import ChannelCommands
import CommandLineKit
import Engine
import FileCommands
import MediaStreams
import OpusCodec
import SoundOptions

/// Arguments of `simulate`, typed and checked.
struct SimulateOptions: Sendable {
  let common: CommonOptions
  let call: SimulatedCall
  let reportPath: String?
  /// Path of the call's script; nil without one.
  let scriptPath: String?
  let resultFormat: ResultFormat
  let picture: PictureOptions?
  let overwrites: Bool
  let progress: ProgressMode

  /// Reads the options of a command line.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65 and 66 for a trace or a script that cannot be read.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    common = try CommonOptions(parsed)
    let network = try NetworkOptions(parsed)
    overwrites = parsed.has("overwrite")
    reportPath = parsed.text("report")
    guard !parsed.has("json") || !parsed.has("json-lines") else {
      throw .usage("--json and --json-lines contradict each other; give one of them")
    }
    resultFormat = parsed.has("json") ? .json : parsed.has("json-lines") ? .jsonLines : .text
    guard !parsed.has("stats") || reportPath != nil || resultFormat != .text else {
      throw .usage(
        "--stats are among the events, which the table does not show; give --report, --json or --json-lines as well")
    }
    try parsed.check("sample-format", actsOn: ["mixed-out", "each-out"], lacking: "no output to apply to")
    scriptPath = parsed.text("script")
    picture = try PictureOptions(parsed)
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    let users = try parsed.keyed("user").map { value throws(CommandFailure) in try Self.user(value) }
    guard !users.isEmpty else { throw .usage("simulate needs users, such as --user 1=alice.wav --user 2=bob.wav") }
    let codec = try Self.codec(parsed)
    if case .null(_) = codec, parsed.has("mixed-out") || parsed.has("each-out") {
      throw .usage("the codec 'null' sends no sound, so there is none to write; leave out --mixed-out and --each-out")
    }
    let capturePath = parsed.text("capture")
    guard capturePath == nil || parsed.has("relay") else {
      throw .usage("--capture holds the datagrams between users and a relay; add --relay")
    }
    guard !parsed.has("max-speakers") || parsed.has("relay") else {
      throw .usage("--max-speakers is the limit of a relay; add --relay")
    }
    call = SimulatedCall(
      users: users, topology: parsed.has("relay") ? .relay : .direct, conditions: network.conditions, codec: codec,
      adapts: !parsed.has("codec"),
      resendsPackets: !parsed.has("no-nack"), seed: network.seed,
      seedsEncryption: true,
      durationSeconds: parsed.number("duration"),
      script: try scriptPath.map { path throws(CommandFailure) in try ScriptFile.read(path) } ?? CallScript(),
      outputs: CallOutputs(
        eachFolder: parsed.text("each-out"), mixedPath: parsed.text("mixed-out"), capturePath: capturePath,
        sampleFormat: parsed.text("sample-format").flatMap(SampleFormat.init(rawValue:)) ?? .int16,
        overwrite: overwrites),
      logsStatistics: parsed.has("stats"), maximumSpeakerCount: parsed.integer("max-speakers") ?? 0)
    try checkPaths()
  }

  /// Paths of the sound files that will be written.
  var soundPaths: [String] {
    let each = call.outputs.eachFolder.map { folder in
      call.users.flatMap { listener in
        ["\(folder)/\(listener.uid).wav"]
          + (call.script.listenersWithoutSpeakers.contains(listener.uid) ? ["\(folder)/\(listener.uid)_mixed.wav"] : [])
          + call.voiceFiles(of: listener.uid).map(\.path)
      }
    }
    return (each ?? []) + [call.outputs.mixedPath].compactMap { $0 }
  }

  private func checkPaths() throws(CommandFailure) {
    var claims = OutputConflicts(advice: "give each its own name")
    for user in call.users { claims.reads(user.path, as: "file of user \(user.uid)") }
    if let scriptPath { claims.reads(scriptPath, as: "script") }
    for path in call.script.events.compactMap(\.action.soundPath) { claims.reads(path, as: "sound of the script") }
    for path in soundPaths { try claims.writes(path, as: "sound", of: path) }
    if let path = call.outputs.capturePath { try claims.writes(path, as: "capture", of: "simulate") }
    if let reportPath { try claims.writes(reportPath, as: "report", of: "simulate") }
    if let picture { try claims.writes(picture.path, as: "picture", of: "simulate") }
  }

  private static func user(_ value: KeyedValue) throws(CommandFailure) -> CallUser {
    let parts = value.head.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let uid = UInt32(parts[0]), !parts[1].isEmpty else {
      throw .usage("option '--user' needs a number before the file, such as 1=alice.wav; it was given '\(value.head)'")
    }
    return CallUser(
      uid: uid, path: String(parts[1]), startSeconds: value.number("at") ?? 0,
      driftPartsPerMillion: value.number("drift") ?? 0)
  }

  private static func codec(_ parsed: ParsedArguments) throws(CommandFailure) -> SenderCodec {
    guard let value = parsed.keyed("codec").first else {
      return .opus(OpusOptions(packetDuration: .milliseconds20, forwardErrorCorrection: true))
    }
    let codec = CodecOptions(value)
    let isLong = codec.packetMilliseconds == 20
    guard value.head == "null" else {
      var options = OpusOptions(codec)
      options.discontinuousTransmission = value.flag("dtx")
      return .opus(options)
    }
    for key in value.values.keys.sorted() where key != "frame" {
      throw .usage("the codec 'null' has no key '\(key)', only frame=10|20")
    }
    return .null(isLong ? .milliseconds20 : .milliseconds10)
  }
}
