import AudioFiles
import AudioGraph
import Calls
import Engine
import FrameObservers
import MediaStreams
import Metering
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
  /// Voices of the other users, by user and channel.
  private var voices: [SpeakerID: ChannelVoice] = [:]
  /// The voices in the order of results.
  private var voiceOrder: [(id: SpeakerID, channel: ChannelName)] = []
  /// The user's file; nil for the silent listener.
  let reader: AudioFileReader?
  private let engine: ChannelEngine
  private let clock: DriftingClock
  /// The user's own time.
  private let time = VirtualClock()
  private let user: CallUser?
  private let call: SimulatedCall
  private let reports = Guarded<[PipelineEvent]>([])
  private let traces = PlayoutTraces()
  private var source: FileSource?
  private var nextTick = 0
  /// Time of the next tick, in nanoseconds of the call.
  private(set) var nextTickNanoseconds = 0
  /// Time at which the engine is due, in nanoseconds of the call; nil before it is asked for.
  private var deadline: Int?
  private var tickCount = 0
  /// Whether the user's file starts with the next tick.
  private var startsVoice = false

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameters:
  ///   - user: The user; nil for the silent listener.
  ///   - path: The user's path to the relay.
  ///   - reader: The user's file; nil for the silent listener.
  ///   - channelCount: Number of channels of the pipeline.
  init(
    _ user: CallUser?, _ path: ChannelPath, _ reader: AudioFileReader?, channelCount: Int, call: SimulatedCall
  ) throws {
    number = user?.uid ?? 0
    self.user = user
    self.path = path
    self.reader = reader
    self.call = call
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(
        mode: .offline, sampleRate: OpusOptions.sampleRate, channelCount: channelCount,
        channelID: CallScript.channel.text))
    engine = try ChannelEngine(
      pipeline, path, isAudience: user == nil, sentChannelCount: reader.map { min(2, $0.format.channelCount) } ?? 1,
      channelCount: channelCount, time: time, call: call)
    _ = try pipeline.observe(
      .readOnly(at: .beforeMixing) { [traces] frame, source in
        traces.see(SpeakerID(uid: source.uid, channelID: source.channelID), frame.rtpTimestamp)
      })
    pipeline.onEvent { [reports] event in reports.withLock { $0.append(event) } }
  }

  /// Prepares the measurement of another user's voice in a channel.
  func know(_ other: UInt32, in channel: ChannelName, channelCount: Int) {
    let id = SpeakerID(uid: other, channelID: channel.text)
    voices[id] = ChannelVoice(CallStream(from: other, of: call, channelCount: channelCount, trace: traces.add(id)))
    voiceOrder.append((id, channel))
  }

  // MARK: Time

  /// Time at which the engine is due without news of the network, in nanoseconds of the call; `Int.max` if it is not.
  ///
  /// The engine is asked once after each of its steps and calls: most moments of the call belong to others.
  var nextDeadlineNanoseconds: Int {
    if let deadline { return deadline }
    let asked = engine.nextDeadlineNanoseconds.map { clock.simulationNanoseconds(atLocal: $0) } ?? .max
    deadline = asked
    return asked
  }

  /// Whether anything happens at the user's end now: an arrival, a tick, or work of the engine.
  func isDue(nowNanoseconds now: Int) -> Bool {
    min(nextTickNanoseconds, path.nextAtUserNanoseconds, nextDeadlineNanoseconds) <= now
  }

  /// Time of the last of `count` ticks, in nanoseconds of the call.
  func endNanoseconds(afterTicks count: Int) -> Int {
    clock.simulationNanoseconds(atLocal: (count - 1) * Self.nanosecondsPerTick)
  }

  /// Sets the user's time, before a step or call of the engine.
  private func setTime(_ now: Int) {
    time.wait(untilNanoseconds: clock.localNanoseconds(at: now))
    deadline = nil
  }

  // MARK: Run

  func start(tickCount: Int) throws {
    self.tickCount = tickCount
    pipeline.recorder.limit(to: tickCount * OpusOptions.sampleRate / 100)
    try pipeline.startStepping(isEndless: true)
  }

  /// Serves the engine, if anything has arrived for it or is due.
  func serve(nowNanoseconds now: Int) {
    let isDue = nextDeadlineNanoseconds <= now
    setTime(now)
    let hasArrived = path.deliverToUser { speaker, effect in voices[speaker]?.noteArrival(effect) }
    if hasArrived || isDue { engine.pump() }
  }

  /// Runs one tick: plays packets that have arrived, and sends those of the user.
  func step(nowNanoseconds now: Int) throws {
    setTime(now)
    let local = nextTick * Self.nanosecondsPerTick
    try startVoice()
    engine.complete(untilNanoseconds: local + 1)
    for (id, channel) in voiceOrder {
      guard let voice = voices[id] else { continue }
      voice.stream.follow(engine.connection(channel)?.source(of: id.uid))
      voice.stream.clearTrace()
    }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: local)
    nextTick += 1
    nextTickNanoseconds = clock.simulationNanoseconds(atLocal: nextTick * Self.nanosecondsPerTick)
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

  func join(
    _ channel: ChannelName, publishes: Bool, role: ClientRole?, token: SecretText, nowNanoseconds now: Int
  ) throws {
    setTime(now)
    if engine.channels.isEmpty { pipeline.restartCallTime() }
    try engine.join(channel, publishes: publishes, role: role, token: token)
  }

  func setRole(
    _ role: ClientRole, latency: AudienceLatencyLevel?, in channel: ChannelName, nowNanoseconds now: Int
  ) throws {
    setTime(now)
    try engine.setRole(role, latency: latency, in: channel)
  }

  func preload(_ channel: ChannelName, token: SecretText, nowNanoseconds now: Int) throws {
    setTime(now)
    try engine.preload(channel, token: token)
  }

  func leave(_ channel: ChannelName, nowNanoseconds now: Int) {
    setTime(now)
    engine.leave(channel)
  }

  func send(
    _ text: String, isReliable: Bool, isOrdered: Bool, in channel: ChannelName, nowNanoseconds now: Int
  ) throws {
    setTime(now)
    try engine.send(text, isReliable: isReliable, isOrdered: isOrdered, in: channel)
  }

  func relayMedia(to others: [ChannelName], in channel: ChannelName, nowNanoseconds now: Int) throws {
    setTime(now)
    try engine.relayMedia(to: others, in: channel)
  }

  func pauseMediaRelay(_ isPaused: Bool, in channel: ChannelName, nowNanoseconds now: Int) throws {
    setTime(now)
    try engine.pauseMediaRelay(isPaused, in: channel)
  }

  func setMuted(_ isMuted: Bool, nowNanoseconds now: Int) {
    setTime(now)
    engine.setMuted(isMuted)
  }

  func setMuted(_ isMuted: Bool, user: UInt32, nowNanoseconds now: Int) {
    setTime(now)
    engine.setMuted(isMuted, user: user)
    for (id, _) in voiceOrder where id.uid == user { voices[id]?.stream.setMuted(isMuted) }
  }

  /// Carries out an action of one-to-one calls.
  func applyCall(_ action: ScriptAction, nowNanoseconds now: Int) {
    setTime(now)
    engine.applyCall(action)
  }

  /// Applies an action to the pipeline: one about a user at a listener, in every channel in which the user is heard.
  func apply(_ action: ScriptAction) throws {
    guard action.listener != nil, let user = action.user else { return try action.apply(to: pipeline) }
    let heard = voiceOrder.filter { $0.id.uid == user && engine.connection($0.channel)?.source(of: user) != nil }
    // Without a channel, the pipeline refuses the action.
    try action.apply(to: pipeline, in: heard.isEmpty ? [nil] : heard.map(\.id.channelID))
  }

  /// Notes a packet of another user that is sent to this one, or lost on its way to the relay.
  func note(_ packet: CallPacket, from speaker: SpeakerID, timestamp: UInt32? = nil, effect: LinkCounters) {
    guard engine.isConnected(speaker.channelID) else { return }
    voices[speaker]?.note(packet, timestamp: timestamp, effect: effect)
  }

  /// Returns the events of the channels and the news of calls since the last call.
  func takeNews() -> [ChannelEngine.News] {
    // Calls of the program may follow from the news.
    defer { deadline = nil }
    let taken = engine.takeNews()
    if source == nil, user != nil, taken.contains(where: beginsVoice) { startsVoice = true }
    return taken
  }

  /// Whether the user speaks from now on: in a channel, or in a connected call.
  private func beginsVoice(_ news: ChannelEngine.News) -> Bool {
    switch news {
    case .channel(let channel, .joined): engine.hasJoined(channel)
    case .calls(.connected): true
    default: false
    }
  }

  /// Returns the events of the pipeline since the last call, with the time of the call.
  func takeReports() -> [(nanoseconds: Int, kind: PipelineEvent.Kind)] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports.map { (clock.simulationNanoseconds(atLocal: $0.time.wholeNanoseconds), $0.kind) }
    }
  }

  /// Results of the other users' voices.
  ///
  /// - Parameter rooms: Rooms of one-to-one calls, which have no result unless users were in them.
  func heard(
    rooms: Set<ChannelName>, remoteReport: (UInt32, ChannelName) -> RTCPSessionReport?
  ) -> [HeardUser] {
    voiceOrder.compactMap { id, channel in
      guard let voice = voices[id] else { return nil }
      var heard = voice.stream.finish(
        link: voice.link, feedback: engine.connection(channel)?.report(of: id.uid),
        remoteReport: remoteReport(id.uid, channel))
      if rooms.contains(channel), heard.packetsSent == 0 { return nil }
      if channel != CallScript.channel { heard.channel = channel }
      return heard
    }
  }

  /// Report about the user's own packets at the relay; nil before the first.
  func sentReport(in channel: ChannelName) -> RTCPSessionReport? { engine.connection(channel)?.sentReport }

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
