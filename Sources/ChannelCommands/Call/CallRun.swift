import AudioFiles
import AudioGraph
import Calls
import CommandLineKit
import Engine
import JSON
import MQTTSignalling
import Platform
import SoundOptions

/// One call, from the session at the relay to its end.
///
/// Thread: one.
struct CallRun {
  private let options: CallOptions
  private let console: Console
  private let pipeline: AudioPipeline
  private let engine: RtcEngine
  private let calls = CallAPI()
  private let heard = HeardUsers()
  private let lines: CallLines
  private let published: AudioFileReader?
  private let files = RecordingWatch()

  /// Longest wait for the relay.
  private static let relayLimit = Duration.seconds(10)

  /// Checks the files, and makes an engine. Nothing is sent yet.
  ///
  /// - Throws: exit codes 64, 65, 66 and 73 for files and addresses.
  init(_ options: CallOptions, _ console: Console) throws {
    self.options = options
    self.console = console
    published = try options.sound.open()
    pipeline = try AudioPipeline(PipelineOptions(channelCount: min(2, published?.format.channelCount ?? 1)))
    try heard.observe(pipeline)
    let lines = CallLines(options.sound.showsEvents ? console.output : nil, console.log)
    self.lines = lines
    pipeline.onEvent { [files] event in
      files.take(event)
      lines.take(event)
      if case .recordingFailed(_, let reason) = event.kind { console.log.warning("a recording failed: \(reason)") }
    }
    do throws(ChannelError) {
      engine = try RtcEngine(
        appID: options.relay.appID, relay: options.relay.url, pipeline: pipeline,
        options: RtcEngineOptions(verification: options.relay.verification))
    } catch {
      throw CommandFailure(channel: error)
    }
  }

  /// Calls or answers, and stays until the end of the call.
  ///
  /// - Throws: exit codes 69 without a call, 77 for a refused or expired token, 74 for lines that could not be written.
  func run() throws {
    defer { engine.destroy() }
    guard let signalling = try openSignalling() else { return }
    defer { signalling.close() }
    calls.addListener(lines)
    do throws(CallError) {
      try calls.initialize(
        CallConfig(userID: options.uid, engine: engine, signalClient: signalling.client))
    } catch {
      throw CommandFailure(call: error)
    }
    // Devices that cannot be opened end the command before it rings.
    try options.sound.openDevices(of: pipeline)
    try pipeline.start()
    defer { pipeline.stop() }
    let failure: CommandFailure?
    do {
      failure = try converse()
      try pipeline.recorder.stop()
    } catch {
      endCalls()
      throw error
    }
    endCalls()
    // Before the engine, which keeps the microphone closed.
    pipeline.stop()
    engine.destroy()
    try report()
    if let failure = files.failure { throw failure }
    if let failure { throw failure }
    try lines.check()
  }

  /// Prepares, rings or waits, and talks.
  ///
  /// - Returns: Cause of a call that did not come about or has broken off.
  private func converse() throws -> CommandFailure? {
    let config = PrepareConfig(
      roomID: options.room?.text ?? "call-\(options.uid)-\(String(UInt64.random(in: 0...(.max)), radix: 16))",
      rtcToken: options.relay.token, callTimeoutMilliseconds: Int(options.ringSeconds * 1_000))
    if let failure = try wait({ calls.prepareForCall(config, completion: $0) }) { return failure }
    if let peer = options.peer {
      if let failure = try ring(peer) { return failure }
    } else {
      console.log.info("user \(options.uid) waits for a call")
      try answer()
    }
    poll { lines.news.isConnected || lines.news.state == .prepared }
    guard lines.news.isConnected else { return InterruptHandler.pending == nil ? lines.news.failure(options) : nil }
    try options.sound.record(pipeline)
    stay(untilPublished: try options.sound.publish(published, in: pipeline))
    let news = lines.news
    guard news.state == .prepared else { return nil }
    guard news.reason != .joinRTCFailed else { return news.failure(options) }
    let text = news.text.isEmpty ? "" : ": \(news.text)"
    console.log.info("user \(options.peer ?? news.caller ?? 0) has ended the call\(text)")
    return nil
  }

  /// Calls the user. A call of the same user that is faster is accepted, and another one is rejected.
  private func ring(_ peer: UInt32) throws -> CommandFailure? {
    for _ in 0..<10 {
      let news = lines.news
      switch (news.state, news.caller) {
      case (.calling, peer?):
        if try wait({ calls.accept(peer, completion: $0) }) == nil { return nil }
      case (.calling, let other?): _ = try wait { calls.reject(other, reason: "busy", completion: $0) }
      default:
        let failure = try wait { calls.call(peer, type: .audio, callExtension: options.text, completion: $0) }
        // A call may have come meanwhile.
        if failure != nil, lines.news.state == .calling { continue }
        if failure == nil { console.log.info("user \(peer) is called") }
        return failure
      }
      if InterruptHandler.pending != nil { return nil }
    }
    return CommandFailure(.unavailable, "other users call all the time; call again later")
  }

  /// Waits for a call, and accepts it. A caller that gives up before is followed by the next one.
  private func answer() throws {
    let clock = SystemClock()
    while InterruptHandler.pending == nil, !lines.news.hasAccepted {
      poll { lines.news.state == .calling }
      let time = clock.nowNanoseconds + Int(options.answerSeconds * 1e9)
      poll { lines.news.state != .calling || clock.nowNanoseconds >= time }
      guard lines.news.state == .calling, let caller = lines.news.caller, InterruptHandler.pending == nil else {
        if let caller = lines.news.caller { console.log.info("user \(caller) calls no longer") }
        continue
      }
      // The caller may have cancelled meanwhile; the state says so.
      _ = try wait { calls.accept(caller, completion: $0) }
    }
  }

  /// Waits for the end: of the duration, of the caller's file, of the call, or a signal.
  private func stay(untilPublished hasEnded: (() -> Bool)?) {
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    poll {
      if lines.news.state == .prepared { return true }
      if let seconds = options.sound.durationSeconds { return clock.nowNanoseconds >= start + Int(seconds * 1e9) }
      return options.peer != nil && hasEnded?() == true
    }
  }

  /// Hangs up, and waits until the other user has the message.
  private func endCalls() {
    let isDone = Guarded(false)
    calls.deinitialize { isDone.withLock { $0 = true } }
    let clock = SystemClock()
    let limit = clock.nowNanoseconds + 6_000_000_000
    while !isDone.withLock({ $0 }), clock.nowNanoseconds < limit {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  private func report() throws {
    let news = lines.news
    let write = { (json: inout JSONWriter) in
      json.field("uid", Int(options.uid))
      if let peer = options.peer ?? news.caller { json.field("peer", Int(peer)) }
      if let room = news.room { json.field("room", room) }
      json.field("connected", news.isConnected)
      json.field("reason", news.reason.rawValue)
      if let duration = news.durationMilliseconds { json.field("duration_ms", Int(duration)) }
      heard.write(&json)
      files.write(&json)
    }
    lines.write("summary", write)
    if options.sound.showsReport {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        write(&json)
      }
    } else if !options.sound.showsEvents, news.isConnected {
      try console.output.writeLine(heard.text)
    }
  }

  // MARK: Waiting

  /// Waits for a condition, or a signal.
  private func poll(until isTrue: () -> Bool) {
    let clock = SystemClock()
    while !isTrue(), InterruptHandler.pending == nil {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  /// Waits for the completion of a call.
  ///
  /// - Returns: The failure; nil for success or a signal.
  private func wait(_ call: (@escaping CallAPI.Completion) -> Void) throws -> CommandFailure? {
    let result = Guarded<Result<Void, CallError>?>(nil)
    call { outcome in result.withLock { $0 = outcome } }
    poll { result.withLock { $0 != nil } }
    guard case .failure(let error)? = result.withLock({ $0 }) else { return nil }
    return CommandFailure(call: error)
  }

  /// Opens the carrier of the messages; nil after a signal.
  private func openSignalling() throws(CommandFailure) -> (client: any SignalClient, close: () -> Void)? {
    guard let broker = options.broker else {
      return try openSession().map { session in (RelaySignalClient(session), { session.close() }) }
    }
    let client = MQTTSignalClient(broker)
    let result = Guarded<Result<Void, SignalError>?>(nil)
    do throws(EngineError) { try client.start() } catch { throw CommandFailure(.unavailable, error.message) }
    let opening = Task {
      do throws(SignalError) {
        try await client.open(timeout: Self.relayLimit)
        result.withLock { $0 = .success(()) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    poll { result.withLock { $0 != nil } }
    opening.cancel()
    if case .failure(let error)? = result.withLock({ $0 }) {
      client.stop()
      // 134 and 135: the broker refuses the password, or its ACL the user.
      throw CommandFailure([134, 135].contains(error.code) ? .tokenRefused : .unavailable, error.message)
    }
    return (client, { client.stop() })
  }

  /// Opens the session at the relay; nil after a signal.
  private func openSession() throws(CommandFailure) -> RtcSession? {
    let result = Guarded<Result<RtcSession, ChannelError>?>(nil)
    do throws(ChannelError) {
      try engine.openSession(
        token: options.relay.token, user: .uid(options.uid), timeout: Self.relayLimit
      ) { outcome in result.withLock { $0 = outcome } }
      poll { result.withLock { $0 != nil } }
      return try result.withLock({ $0 })?.get()
    } catch {
      throw CommandFailure(channel: error)
    }
  }
}
