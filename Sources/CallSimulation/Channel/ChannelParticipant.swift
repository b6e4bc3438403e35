import AudioFiles
import AudioGraph
import Channels
import Engine
import FrameObservers
import MediaStreams
import NetworkSimulation
import OpusCodec
import Platform
import RTP
import Signalling

/// One user of a simulated channel: an engine with its pipeline, and the user's voice.
final class ChannelParticipant {
  /// Number in results; 0 for the silent listener.
  let number: UInt32
  let pipeline: AudioPipeline
  let path: ChannelPath
  private(set) var voices: [UInt32: ChannelVoice] = [:]
  private(set) var reader: AudioFileReader?
  private let engine: RtcEngine
  private let clock: DriftingClock
  /// The user's own time.
  private let time = VirtualClock()
  private let user: CallUser?
  private let call: SimulatedCall
  private let calls = Guarded<[@Sendable () -> Void]>([])
  private let events = Guarded<[ChannelEvent]>([])
  private let reports = Guarded<[PipelineEvent]>([])
  private let traces = PlayoutTraces()
  private var source: FileSource?
  private var nextTick = 0
  private var tickCount = 0
  /// Whether the user's file starts with the next tick.
  private var startsVoice = false

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameters:
  ///   - user: The user; nil for the silent listener.
  ///   - path: The user's path to the relay.
  ///   - channelCount: Number of channels of the pipeline.
  init(_ user: CallUser?, _ path: ChannelPath, channelCount: Int, call: SimulatedCall) throws {
    number = user?.uid ?? 0
    self.user = user
    self.path = path
    self.call = call
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(
        mode: .offline, sampleRate: OpusOptions.sampleRate, channelCount: channelCount,
        channelID: SimulatedRelay.channel.text))
    var options = RtcEngineOptions(clock: time)
    options.receivedChannelCount = channelCount
    if case .opus(let opus) = call.codec { options.codec = opus }
    options.executor = { [calls] call in calls.withLock { $0.append(call) } }
    options.onEvent = { [events] _, event in events.withLock { $0.append(event) } }
    let (seed, uid) = (call.seed, path.uid)
    options.environment = ChannelEnvironment(
      makeSignalling: { _ in path.makeSignalling() }, makeMedia: { path.makeMedia() },
      makeRandom: { RandomStream(seed: seed, path: UInt64(uid), 3) },
      unixNanoseconds: { [time] in SimulatedRelay.startUnixSeconds * 1_000_000_000 + time.nowNanoseconds },
      isStepped: true, codec: call.codec,
      sourceID: uid, adapts: call.adapts, requestsPackets: call.resendsPackets,
      onPacket: { path.note($0) })
    engine = try RtcEngine(
      appID: SimulatedRelay.app.text, relay: SimulatedRelay.url, pipeline: pipeline, options: options)
    _ = try pipeline.observe(
      .readOnly(at: .beforeMixing) { [traces] frame, source in traces.see(source.uid, frame.rtpTimestamp) })
    pipeline.onEvent { [reports] event in reports.withLock { $0.append(event) } }
  }

  /// Opens the user's file.
  func open(_ reader: AudioFileReader) { self.reader = reader }

  /// Prepares the measurement of another user's voice.
  func know(_ other: UInt32, channelCount: Int) {
    voices[other] = ChannelVoice(
      CallStream(from: other, of: call, channelCount: channelCount, trace: traces.add(other)))
  }

  // MARK: Time

  /// Time of the next tick, in nanoseconds of the call.
  var nextTickNanoseconds: Int { clock.simulationNanoseconds(atLocal: nextTick * Self.nanosecondsPerTick) }

  /// Time at which the engine is due without news of the network, in nanoseconds of the call; nil if it is not.
  var nextDeadlineNanoseconds: Int? {
    engine.nextDeadlineNanoseconds.map { clock.simulationNanoseconds(atLocal: $0) }
  }

  /// Time of the last of `count` ticks, in nanoseconds of the call.
  func endNanoseconds(afterTicks count: Int) -> Int {
    clock.simulationNanoseconds(atLocal: (count - 1) * Self.nanosecondsPerTick)
  }

  private func setTime(_ now: Int) { time.wait(untilNanoseconds: clock.localNanoseconds(at: now)) }

  // MARK: Run

  func start(tickCount: Int) throws {
    self.tickCount = tickCount
    pipeline.recorder.limit(to: tickCount * OpusOptions.sampleRate / 100)
    try pipeline.startStepping(isEndless: true)
  }

  /// Serves the engine, if anything has arrived for it or is due.
  func serve(nowNanoseconds now: Int) {
    setTime(now)
    let hasArrived = path.deliverToUser { speaker, effect in voices[speaker]?.noteArrival(effect) }
    guard hasArrived || nextDeadlineNanoseconds.map({ $0 <= now }) == true else { return }
    engine.pump()
  }

  /// Runs one tick: plays packets that have arrived, and sends those of the user.
  func step(nowNanoseconds now: Int) throws {
    setTime(now)
    let local = nextTick * Self.nanosecondsPerTick
    try startVoice()
    engine.complete(untilNanoseconds: local + 1)
    for (uid, voice) in voices {
      voice.stream.follow(engine.connection?.source(of: uid))
      voice.stream.clearTrace()
    }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: local)
    nextTick += 1
    if nextTick <= tickCount {
      for voice in voices.values { voice.stream.measure(nowNanoseconds: now) }
      if nextTick == tickCount { for voice in voices.values { voice.stream.close() } }
    }
    // Sounds that play may lengthen it.
    path.sendDelayNanoseconds = pipeline.sendDelay * 1_000_000_000 / OpusOptions.sampleRate
    engine.pump()
  }

  func finish() throws {
    pipeline.finishStepping()
    engine.destroy()
    source?.close()
    if let error = source?.error, error.reason != .cancelled { throw error }
  }

  // MARK: Channel

  func join(token: SecretText, nowNanoseconds now: Int) throws {
    setTime(now)
    pipeline.restartCallTime()
    try engine.join(
      channel: SimulatedRelay.channel.text, token: token.text, user: .uid(path.uid),
      options: user == nil ? .audience : .broadcaster, completion: nil)
  }

  func leave(nowNanoseconds now: Int) {
    setTime(now)
    engine.leave(LeaveOptions(stopsMusic: false, stopsEffects: false))
  }

  func setMuted(_ isMuted: Bool, nowNanoseconds now: Int) {
    setTime(now)
    engine.muteLocalAudio(isMuted)
  }

  func setMuted(_ isMuted: Bool, user: UInt32, nowNanoseconds now: Int) {
    setTime(now)
    engine.muteRemote(user, isMuted)
    voices[user]?.stream.setMuted(isMuted)
  }

  /// Notes a packet of another user that is sent to this one, or lost on its way to the relay.
  func note(_ packet: CallPacket, from uid: UInt32, timestamp: UInt32? = nil, effect: LinkCounters) {
    guard engine.connection?.state == .connected else { return }
    voices[uid]?.note(packet, timestamp: timestamp, effect: effect)
  }

  /// Returns the events of the channel since the last call.
  func takeEvents() -> [ChannelEvent] {
    while true {
      let due = calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
      if due.isEmpty { break }
      for call in due { call() }
    }
    let taken = events.withLock { events in
      defer { events = [] }
      return events
    }
    if taken.contains(where: \.isJoin), source == nil, user != nil { startsVoice = true }
    return taken
  }

  /// Returns the events of the pipeline since the last call, with the time of the call.
  func takeReports() -> [(nanoseconds: Int, kind: PipelineEvent.Kind)] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports.map { (clock.simulationNanoseconds(atLocal: $0.time.wholeNanoseconds), $0.kind) }
    }
  }

  /// Results of the other users' voices, in the order of `uids`.
  func heard(_ uids: [UInt32], remoteReport: (UInt32) -> RTCPSessionReport?) -> [HeardUser] {
    uids.compactMap { uid in
      guard let voice = voices[uid] else { return nil }
      return voice.stream.finish(
        link: voice.link, feedback: engine.connection?.report(of: uid), remoteReport: remoteReport(uid))
    }
  }

  /// Report about the user's own packets at the relay; nil before the first.
  var sentReport: RTCPSessionReport? { engine.connection?.sentReport }

  /// Starts the user's file with this tick, once the channel is joined.
  private func startVoice() throws {
    guard startsVoice, let user, let reader else { return }
    startsVoice = false
    let source = try FileSource(
      reader, sampleRate: OpusOptions.sampleRate, uid: user.uid,
      startPosition: Int((user.startSeconds * Double(OpusOptions.sampleRate)).rounded()), ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    self.source = source
  }
}

extension ChannelEvent {
  fileprivate var isJoin: Bool {
    if case .joined = self { true } else { false }
  }
}
