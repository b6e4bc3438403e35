import AudioFiles
import AudioGraph
import Channels
package import CommandLineKit
import Engine
import Glibc
import JSON
import Platform
import Signalling

/// `audiopipe join`: a user of a channel, which publishes a file and records the others.
package enum JoinCommand {
  /// Longest wait for the relay, in nanoseconds.
  private static let joinLimit = 10_000_000_000

  package static let declaration = CommandDeclaration(
    name: "join",
    summary: "Be a user of a channel: publish a file, record what is heard",
    examples: [
      "audiopipe join --url ws://127.0.0.1:7000 --channel room --uid 5 --token-file t --publish talk.wav",
      "audiopipe join --url wss://relay.example --channel room --uid 6 --token-file t --record-playback heard.wav --duration 60 "
        + "--events -",
    ],
    notes: [
      "It leaves after --duration, after the published file without one, or with ^C. It joins again by itself if the relay is lost "
        + "for a while.",
      "The role is broadcaster with --publish, and audience without.",
    ],
    options: [
      OptionDeclaration(
        "url", .text, placeholder: "ws://HOST:PORT", group: "Channel", help: "WebSocket of the relay; wss:// for TLS"),
      OptionDeclaration("channel", .text, placeholder: "NAME", group: "Channel", help: "Channel to join"),
      OptionDeclaration(
        "uid", .integer(0...Int(UInt32.max)), group: "Channel", default: "0",
        help: "User in the channel; the relay assigns a number for 0"),
      OptionDeclaration(
        "account", .text, placeholder: "NAME", group: "Channel", help: "User in the channel by account"),
      OptionDeclaration("token-file", .file, group: "Channel", help: "File with the token; '-' is stdin"),
      OptionDeclaration(
        "app-id", .text, placeholder: "ID", group: "Channel", help: "App of the channel, for relays that need no token"),
      OptionDeclaration(
        "role", .choice(["broadcaster", "audience"]), group: "Channel", help: "Role in the channel"),
      OptionDeclaration(
        "profile", .choice(JoinOptions.profiles.keys.sorted()), group: "Channel", default: "live",
        help: "Profile of the channel"),
      OptionDeclaration(
        "ca-file", .file, group: "Channel", help: "Root certificates for wss://, in PEM, not the system's"),
      OptionDeclaration(
        "fingerprint", .text, placeholder: "DIGITS", group: "Channel",
        help: "SHA-256 fingerprint of the relay's certificate, which then needs no root"),
      OptionDeclaration("publish", .file, group: "Sound", help: "File to send to the channel"),
      OptionDeclaration(
        "record-playback", .file, group: "Sound", help: "File of the other users, mixed as they are heard"),
      OptionDeclaration(
        "record-mixed", .file, group: "Sound", help: "File of the other users and the published sound"),
      OptionDeclaration(
        "each-out", .directory, group: "Sound", help: "Folder with a file for each user, user.5.wav and so on"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Sound", help: "Leave after this many seconds"),
      OptionDeclaration(
        "events", .text, placeholder: "-", group: "Output", help: "Write events to stdout, one JSON object per line"),
      OptionDeclaration("json-lines", group: "Output", help: "The same as --events -"),
      OptionDeclaration("overwrite", group: "Output", help: "Replace existing files"),
    ] + CommonOptions.declarations)

  /// Joins, and stays until the end.
  ///
  /// - Throws: exit code 64 for a wrong command line, 69 for a relay that cannot be reached, 77 for a refused token.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    do {
      return try stay(in: JoinOptions(parsed), parsed, console)
    } catch let error as BrokenPipe {
      throw error
    } catch {
      throw CommandFailure(sound: error)
    }
  }

  private static func stay(
    in options: JoinOptions, _ parsed: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    let published = try options.publishPath.map { try AudioFileReader.open(path: $0) }
    if let folder = options.eachFolder, mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw CommandFailure(
        .cannotCreate, "\(folder): the folder cannot be made (\(systemErrorText(errno))); check the path")
    }
    let pipeline = try AudioPipeline(
      PipelineOptions(channelCount: min(2, published?.format.channelCount ?? 1), channelID: options.channel.text))
    let heard = HeardUsers()
    try heard.observe(pipeline)
    let lines = JoinLines(options.showsEvents ? console.output : nil)
    let engine = try engine(options, pipeline, lines)
    defer { engine.destroy() }
    try pipeline.start()
    defer { pipeline.stop() }
    try join(engine, options, console)
    try record(pipeline, options)
    let source = try published.map { reader in
      try FileSource(reader, sampleRate: 48_000, uid: 0, ready: pipeline.context.ready)
    }
    if let source { try pipeline.setLocalSource(source) }
    stay(pipeline, engine, source, options)
    let failure = engine.connection?.state == .failed
    try pipeline.recorder.stop()
    engine.leave()
    settle(lines)
    engine.destroy()
    pipeline.stop()
    try finish(heard, lines, options, parsed, console)
    if failure {
      throw CommandFailure(.unavailable, "the channel has ended: the relay ended the session; see --events -")
    }
    return .success
  }

  private static func engine(
    _ options: JoinOptions, _ pipeline: AudioPipeline, _ lines: JoinLines
  ) throws(CommandFailure) -> RtcEngine {
    do {
      return try RtcEngine(
        appID: options.appID, relay: options.url, pipeline: pipeline,
        options: RtcEngineOptions(verification: options.verification, onEvent: { lines.take($0, $1) }), delegate: lines)
    } catch {
      throw CommandFailure(channel: error)
    }
  }

  /// Joins the channel.
  private static func join(
    _ engine: RtcEngine, _ options: JoinOptions, _ console: Console
  ) throws(CommandFailure) {
    let result = Guarded<Result<JoinedChannel, ChannelError>?>(nil)
    do {
      try engine.join(
        channel: options.channel.text, token: options.token, user: options.user, options: options.media
      ) { outcome in
        result.withLock { $0 = outcome }
      }
    } catch {
      throw CommandFailure(channel: error)
    }
    let clock = SystemClock()
    let limit = clock.nowNanoseconds + joinLimit
    while InterruptHandler.pending == nil {
      switch result.withLock({ $0 }) {
      case .success(let joined)?:
        return console.log.info("user \(joined.uid) has joined the channel '\(joined.channel)'")
      case .failure(let error)?: throw CommandFailure(channel: error)
      case nil: break
      }
      guard clock.nowNanoseconds < limit else {
        throw CommandFailure(
          .unavailable, "\(options.url): the relay did not answer within 10 s; check the address and that it runs")
      }
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  private static func record(_ pipeline: AudioPipeline, _ options: JoinOptions) throws {
    var paths: [RecordingPosition: String] = [:]
    paths[.mixed] = options.mixedPath
    paths[.playback] = options.playbackPath
    paths[.eachUser] = options.eachFolder.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "user.wav" }
    guard !paths.isEmpty else { return }
    try pipeline.recorder.start(paths, options: RecordingOptions(overwrite: options.overwrites))
  }

  /// Waits for the end: of the duration, of the published file, of the session, or a signal.
  private static func stay(
    _ pipeline: AudioPipeline, _ engine: RtcEngine, _ source: FileSource?, _ options: JoinOptions
  ) {
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let startTick = pipeline.tickCount
    let end = options.durationSeconds.map { start + Int($0 * 1e9) }
    while InterruptHandler.pending == nil, engine.connection?.state != .failed {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 20_000_000)
      if let end {
        if clock.nowNanoseconds >= end { return }
      } else if let last = source?.endPosition, (pipeline.tickCount - startTick) * 480 > last + 24_000 {
        return
      }
    }
  }

  /// Waits for the end of the channel, at most a second.
  private static func settle(_ lines: JoinLines) {
    let clock = SystemClock()
    let limit = clock.nowNanoseconds + 1_000_000_000
    while !lines.hasLeft, clock.nowNanoseconds < limit {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  private static func finish(
    _ heard: HeardUsers, _ lines: JoinLines, _ options: JoinOptions, _ parsed: ParsedArguments, _ console: Console
  ) throws {
    lines.write("summary") { heard.write(&$0) }
    if parsed.has("json") {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        heard.write(&json)
      }
    } else if !options.showsEvents {
      try console.output.writeLine(heard.text)
    }
  }
}
