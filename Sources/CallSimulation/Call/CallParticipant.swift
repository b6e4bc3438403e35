import AudioFiles
import AudioGraph
import Engine
import FrameObservers
import NetworkSimulation
import OpusCodec
import RTP

/// One user of a call while it runs: its pipeline, what it sends and what it hears.
final class CallParticipant {
  let uid: UInt32
  let pipeline: AudioPipeline
  let clock: DriftingClock
  /// All others.
  private(set) var peers: [CallPeer] = []
  private(set) var reader: AudioFileReader?
  private var source: FileSource?
  /// Nil for who says nothing.
  private var voice: CallVoice?
  /// What a listener's reports carry who says nothing.
  private let silentSSRC: UInt32
  /// Who does not speak keeps no packets.
  private let nothing = RetransmissionCache(capacity: 1, maximumByteCount: 1)
  private let reports = Guarded<[PipelineEvent]>([])
  /// What of each of the others is played.
  private let traces = PlayoutTraces()
  /// Who is in the call, as far as has been told here.
  private var members: Set<UInt32> = []
  /// Goodbyes to be sent.
  private var byes: [(to: UInt32, packet: CallPacket)] = []
  private var nextTick = 0
  /// Ticks of the call itself.
  private var tickCount = 0
  /// Whether music goes with its voice, as has been told.
  private var playsMusic = false
  /// When the last tick of the whole call is, in nanoseconds of the call: whose clock is fast goes on talking until
  /// then.
  private var endNanoseconds = 0
  /// From capture to the point where packets are made.
  private var sendDelayNanoseconds = 0

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameter user: nil for the listener who says nothing.
  init(_ user: CallUser?, channelCount: Int, seed: UInt64) throws {
    uid = user?.uid ?? 0
    var random = RandomStream(seed: seed, path: 0)
    silentSSRC = UInt32(truncatingIfNeeded: random.next())
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: OpusOptions.sampleRate, channelCount: channelCount))
    _ = try pipeline.observe(
      .readOnly(at: .beforeMixing) { [traces] frame, source in traces.see(source.uid, frame.rtpTimestamp) })
    pipeline.onEvent { [reports] event in reports.withLock { $0.append(event) } }
  }

  /// True while it sends and hears. Who says nothing is always there.
  private var isMember: Bool { uid == 0 || members.contains(uid) }

  /// When its next tick is, in nanoseconds of the call.
  var nextTickNanoseconds: Int { clock.simulationNanoseconds(atLocal: nextTick * Self.nanosecondsPerTick) }

  /// Gives the user its voice and has it sent.
  func speak(_ user: CallUser, reader: AudioFileReader, channelCount: Int, call: SimulatedCall) throws {
    let source = try FileSource(
      reader, sampleRate: OpusOptions.sampleRate, uid: uid,
      startPosition: Int((user.startSeconds * Double(OpusOptions.sampleRate)).rounded()), ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    voice = CallVoice(uid: uid, channelCount: channelCount, call: call)
    (self.reader, self.source) = (reader, source)
  }

  /// Lets it know another user, and gives it a way for his sound; 0 has none.
  func know(_ other: UInt32, channelCount: Int, call: SimulatedCall) throws {
    let stream =
      other == 0
      ? nil : CallStream(from: other, of: call, channelCount: channelCount, trace: traces.add(other))
    // Files of what is heard begin with the call, whenever the two meet.
    try stream?.open(in: pipeline)
    peers.append(CallPeer(other, at: uid, stream: stream, call: call))
  }

  /// The voices that it hears.
  var streams: [CallStream] { peers.compactMap(\.stream) }

  /// Says who is in the call when it begins.
  func begin(with members: Set<UInt32>) throws {
    self.members = members
    if isMember { try voice?.start(in: pipeline) }
    for stream in streams where !isMember || !members.contains(stream.uid) { try stream.close(in: pipeline) }
    try connectPeers()
  }

  /// Says that somebody has come, itself perhaps.
  func join(_ user: UInt32) throws {
    members.insert(user)
    if user == uid { pipeline.restartCallTime() }
    guard isMember else { return }
    if user == uid { try voice?.start(in: pipeline) }
    try connectPeers()
  }

  /// Says that somebody has gone, itself perhaps.
  func leave(_ user: UInt32, nowNanoseconds now: Int) throws {
    members.remove(user)
    guard user == uid else {
      for peer in peers where peer.uid == user { peer.beginParting(nowNanoseconds: now) }
      return
    }
    try voice?.stop(in: pipeline)
    for peer in peers {
      if let packet = peer.makeBye(nowNanoseconds: now, localNanoseconds: nextTick * Self.nanosecondsPerTick) {
        byes.append((peer.uid, packet))
      }
      try peer.disconnect(pipeline: pipeline)
    }
  }

  /// Whether music goes with its voice now, where that is another than before.
  func takeMusicNews() -> Bool? {
    let plays = isMember && pipeline.isMusicSent
    defer { playsMusic = plays }
    return plays == playsMusic ? nil : plays
  }

  /// What a tick sends.
  struct Sent {
    /// To all others.
    var voice: [CallPacket] = []
    /// To one.
    var addressed: [(to: UInt32, packet: CallPacket)] = []
    /// How the voice is sent from now on; nil = as before.
    var options: OpusOptions?
  }

  /// One tick: what has arrived is played, and what is said is sent.
  func step(nowNanoseconds now: Int) throws -> Sent {
    let local = nextTick * Self.nanosecondsPerTick
    for peer in peers {
      peer.deliver(nowNanoseconds: now, clock: clock, to: pipeline)
      if let feedback = peer.takeFeedback() { pipeline.setLinkFeedback(feedback, from: peer.uid) }
    }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: local)
    nextTick += 1
    // What plays may lengthen the voice's way.
    sendDelayNanoseconds = pipeline.sendDelay * 1_000_000_000 / OpusOptions.sampleRate
    if nextTick <= tickCount {
      for stream in streams { stream.measure(nowNanoseconds: now) }
      if nextTick == tickCount { for stream in streams { stream.close() } }
    } else if now >= endNanoseconds {
      // Behind the end only what is under way in the pipeline comes out.
      voice?.discard()
      return Sent()
    }
    for peer in peers { try peer.finishParting(nowNanoseconds: now, pipeline: pipeline) }
    var sent = Sent()
    sent.addressed = byes
    byes = []
    sent.voice =
      voice?.take(nowNanoseconds: now, localNanoseconds: local, sendDelayNanoseconds: sendDelayNanoseconds) ?? []
    for peer in peers {
      for packet in sent.voice { peer.sent(packet, localNanoseconds: local) }
      let answers =
        voice?.answer(peer, nowNanoseconds: now, localNanoseconds: local)
        ?? peer.answer(from: nothing, nowNanoseconds: now, localNanoseconds: local)
      sent.addressed += answers.map { (peer.uid, $0) }
    }
    sent.options = try voice?.adapt(to: peers, localNanoseconds: local)
    return sent
  }

  /// When the last of so many ticks is, in nanoseconds of the call.
  func endNanoseconds(afterTicks count: Int) -> Int {
    clock.simulationNanoseconds(atLocal: (count - 1) * Self.nanosecondsPerTick)
  }

  /// Whether the call is over by its own clock.
  var hasEnded: Bool { nextTick > tickCount }

  /// Begins its run. Files end after `tickCount` ticks.
  func start(tickCount: Int, endNanoseconds: Int) throws {
    self.tickCount = tickCount
    self.endNanoseconds = endNanoseconds
    pipeline.recorder.limit(to: tickCount * OpusOptions.sampleRate / 100)
    try pipeline.startStepping(isEndless: true)
  }

  /// What the pipeline has told since this was asked last, with the time of the call.
  func takeReports() -> [(nanoseconds: Int, kind: PipelineEvent.Kind)] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports.map { (clock.simulationNanoseconds(atLocal: $0.time.wholeNanoseconds), $0.kind) }
    }
  }

  /// Ends its run. Throws: why its file could not be read to the end.
  func finish() throws {
    pipeline.finishStepping()
    source?.close()
    if let error = source?.error, error.reason != .cancelled { throw error }
  }

  /// Meets all who are in the call, if it is itself.
  private func connectPeers() throws {
    guard isMember else { return }
    for peer in peers where peer.uid == 0 || members.contains(peer.uid) {
      try peer.connect(
        ssrc: voice?.ssrc ?? silentSSRC, nowNanoseconds: nextTick * Self.nanosecondsPerTick, pipeline: pipeline)
    }
  }
}
