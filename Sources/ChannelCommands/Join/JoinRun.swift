import AudioFiles
import AudioGraph
import Channels
import CommandLineKit
import Engine
import JSON
import Platform
import Signalling
import SoundOptions

/// One stay in a channel, from the join to the leave.
///
/// Thread: one.
struct JoinRun {
  private let options: JoinOptions
  private let console: Console
  private let pipeline: AudioPipeline
  private let engine: RtcEngine
  private let heard = HeardUsers()
  private let lines: JoinLines
  private let watch: ConnectionWatch
  private let published: AudioFileReader?
  private let files = RecordingWatch()
  private let sender: LineSender?

  /// Longest wait for the relay.
  private static let joinLimit = Duration.seconds(10)

  /// Checks the files, and makes an engine. Nothing is sent yet.
  ///
  /// - Throws: exit codes 64, 65, 66 and 73 for files and addresses.
  init(_ options: JoinOptions, _ console: Console) throws {
    self.options = options
    self.console = console
    published = try options.sound.open()
    sender = try options.messages.map { message throws(CommandFailure) in
      try LineSender(message.path, kind: message.kind, console.log)
    }
    pipeline = try AudioPipeline(
      PipelineOptions(
        channelCount: min(2, published?.format.channelCount ?? 1), channelID: options.channel.text))
    try heard.observe(pipeline)
    let watch = ConnectionWatch(console.log)
    let lines = JoinLines(options.sound.showsEvents ? console.output : nil, watch)
    (self.lines, self.watch) = (lines, watch)
    pipeline.onEvent { [files] event in
      files.take(event)
      lines.take(event)
      if case .recordingFailed(_, let reason) = event.kind { console.log.warning("a recording failed: \(reason)") }
    }
    do throws(ChannelError) {
      engine = try RtcEngine(
        appID: options.relay.appID, relay: options.relay.url, pipeline: pipeline,
        options: RtcEngineOptions(
          verification: options.relay.verification,
          onEvent: { channel, event in
            watch.take(event)
            lines.take(channel, event)
          }), delegate: lines)
    } catch {
      throw CommandFailure(channel: error)
    }
  }

  /// Joins, stays until the end, and leaves.
  ///
  /// - Throws: exit codes 69 without the relay, 77 for a refused or expired token, 74 for lines that could not be
  ///   written.
  func run() throws {
    defer { engine.destroy() }
    // Devices that cannot be opened end the command before the join.
    try options.sound.openDevices(of: pipeline)
    try pipeline.start()
    defer { pipeline.stop() }
    try join()
    try relay()
    try options.sound.record(pipeline)
    try stay(untilPublished: try options.sound.publish(published, in: pipeline))
    watch.silence()
    try pipeline.recorder.stop()
    let (state, uid) = (finalState, engine.connection?.uid)
    let end = watch.end
    engine.leave()
    Self.wait(milliseconds: 1_000) { lines.hasLeft }
    engine.destroy()
    pipeline.stop()
    try report(state, uid)
    if let failure = files.failure { throw failure }
    if let end { throw CommandFailure(joined: end) }
    if state == .reconnecting, InterruptHandler.pending == nil {
      throw CommandFailure(
        .unavailable,
        "\(options.relay.url): the connection was lost before the end; check that the relay runs, and join again")
    }
    try lines.check()
  }

  private func join() throws(CommandFailure) {
    let result = Guarded<Result<JoinedChannel, ChannelError>?>(nil)
    do throws(ChannelError) {
      try engine.join(
        channel: options.channel.text, token: options.relay.token, user: options.user, options: options.media,
        timeout: Self.joinLimit
      ) { outcome in
        result.withLock { $0 = outcome }
      }
    } catch {
      throw CommandFailure(channel: error)
    }
    let clock = SystemClock()
    while InterruptHandler.pending == nil {
      switch result.withLock({ $0 }) {
      case .success(let joined)?:
        return console.log.info("user \(joined.uid) has joined the channel '\(joined.channel)'")
      case .failure(let error)?:
        // The reason follows in an event.
        Self.wait(milliseconds: 1_000) { watch.end != nil }
        throw watch.end.map { CommandFailure(joining: $0) } ?? CommandFailure(channel: error)
      case nil: break
      }
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  /// Lets the user be heard in other channels, and waits for the relay's answer.
  private func relay() throws(CommandFailure) {
    guard let relayed = options.relayed, let connection = engine.connection else { return }
    let result = Guarded<Result<Void, ChannelError>?>(nil)
    do throws(ChannelError) {
      try connection.startOrUpdateChannelMediaRelay(relayed) { outcome in result.withLock { $0 = outcome } }
      Self.wait(milliseconds: 10_000) {
        result.withLock { $0 != nil } || watch.end != nil || InterruptHandler.pending != nil
      }
      try result.withLock { $0 }?.get()
    } catch {
      throw CommandFailure(channel: error)
    }
  }

  /// Time for repetitions of the last message.
  private static let messageNanoseconds = 2_000_000_000

  /// Waits for the end: of the duration, of the published file or lines, of the session, or a signal.
  private func stay(untilPublished hasEnded: (() -> Bool)?) throws(CommandFailure) {
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let end = options.sound.durationSeconds.map { start + Int($0 * 1e9) }
    var sent: Int?
    while InterruptHandler.pending == nil, watch.end == nil {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 20_000_000)
      if let sender, engine.connection?.state == .connected {
        try sender.step(engine)
        if sender.isDone { sent = sent ?? clock.nowNanoseconds }
      }
      if let end {
        if clock.nowNanoseconds >= end { return }
      } else if hasEnded?() == true {
        return
      } else if hasEnded == nil, let sent, clock.nowNanoseconds >= sent + Self.messageNanoseconds {
        return
      }
    }
  }

  /// State of the connection before the leave. The state itself follows a relay's silence only after 4 s.
  private var finalState: ConnectionState {
    let state = engine.connection?.state ?? .disconnected
    guard state == .connected, InterruptHandler.pending == nil, !relayAnswers() else { return state }
    return .reconnecting
  }

  /// Returns whether the relay answers a request within 2 s.
  private func relayAnswers() -> Bool {
    let hasAnswered = Guarded(false)
    let task = Task { [engine] in
      while !Task.isCancelled {
        var isLost = false
        do throws(ChannelError) {
          isLost = try await engine.diagnose().contains { $0.cause == .notJoined }
        } catch {
          // A refusal is an answer, too.
          isLost = error.code == .notReady
        }
        if !isLost { return hasAnswered.withLock { $0 = true } }
        // The client joins again meanwhile, perhaps at another relay.
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    Self.wait(milliseconds: 2_000) { hasAnswered.withLock { $0 } }
    task.cancel()
    return hasAnswered.withLock { $0 }
  }

  /// Waits for a condition, for a limited time.
  private static func wait(milliseconds: Int, until isTrue: () -> Bool) {
    let clock = SystemClock()
    let limit = clock.nowNanoseconds + milliseconds * 1_000_000
    while !isTrue(), clock.nowNanoseconds < limit {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  private func report(_ state: ConnectionState, _ uid: UInt32?) throws {
    let write = { (json: inout JSONWriter) in
      json.field("channel", options.channel.text)
      if let uid { json.field("uid", Int(uid)) }
      json.field("state", state.rawValue)
      heard.write(&json)
      json.array("losses") { json in for loss in watch.losses { loss.write(&json) } }
      files.write(&json)
    }
    lines.write("summary", write)
    if options.sound.showsReport {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        write(&json)
      }
    } else if !options.sound.showsEvents {
      let losses = watch.losses.map(\.text).joined(separator: "; ")
      try console.output.writeLine(losses.isEmpty ? heard.text : "\(heard.text) (\(losses))")
    }
  }
}
