import AudioFiles
import AudioGraph
import Engine
import FrameObservers
import Metering
import NetworkSimulation
import OpusCodec
import Platform
import RTP

/// One user of a running call: its pipeline, its voice, and its connections to all other users.
final class CallParticipant {
  let uid: UInt32
  let pipeline: AudioPipeline
  let clock: DriftingClock
  /// All other users.
  private(set) var peers: [CallPeer] = []
  private(set) var reader: AudioFileReader?
  private var source: FileSource?
  /// Voice of the user; nil for the silent listener.
  private var voice: CallVoice?
  /// SSRC of the silent listener's reports.
  private let silentSSRC: UInt32
  /// Cache of a user without a voice, which keeps no packets.
  private let nothing = RetransmissionCache(capacity: 1, maximumByteCount: 1)
  private let reports = Guarded<[PipelineEvent]>([])
  /// Traces of the frames played, by user.
  private let traces = PlayoutTraces()
  /// Users in the call, as far as this user has been notified.
  private var members: Set<UInt32> = []
  /// BYE packets still to be sent.
  private var byes: [(to: UInt32, packet: CallPacket)] = []
  private var nextTick = 0
  /// Number of ticks of the call itself.
  private var tickCount = 0
  /// Whether music was sent with the voice when this was last reported.
  private var playsMusic = false
  /// Time of the last tick of the whole call, in nanoseconds of the call. A user with a fast clock continues to speak
  /// until then.
  private var endNanoseconds = 0
  /// Delay from capture to the point of the pipeline that makes packets, in nanoseconds.
  private var sendDelayNanoseconds = 0

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameters:
  ///   - user: The user; nil for the silent listener.
  ///   - channelCount: Number of channels of the pipeline.
  ///   - seed: Seed of the call.
  init(_ user: CallUser?, channelCount: Int, seed: UInt64) throws {
    uid = user?.uid ?? 0
    var random = RandomStream(seed: seed, path: 0)
    silentSSRC = UInt32(truncatingIfNeeded: random.next())
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: OpusOptions.sampleRate, channelCount: channelCount))
    _ = try pipeline.observe(
      .readOnly(at: .beforeMixing) { [traces] frame, source in
        traces.see(SpeakerID(uid: source.uid), frame.rtpTimestamp)
      })
    pipeline.onEvent { [reports] event in reports.withLock { $0.append(event) } }
  }

  /// Whether the participant sends and hears. The silent listener is always in the call.
  private var isMember: Bool { uid == 0 || members.contains(uid) }

  /// Time of the next tick, in nanoseconds of the call.
  var nextTickNanoseconds: Int { clock.simulationNanoseconds(atLocal: nextTick * Self.nanosecondsPerTick) }

  /// Gives the user its voice and starts to send it.
  func speak(_ user: CallUser, reader: AudioFileReader, channelCount: Int, call: SimulatedCall) throws {
    let source = try FileSource(
      reader, sampleRate: OpusOptions.sampleRate, uid: uid,
      startPosition: Int((user.startSeconds * Double(OpusOptions.sampleRate)).rounded()), ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    voice = CallVoice(uid: uid, channelCount: channelCount, call: call)
    (self.reader, self.source) = (reader, source)
  }

  /// Adds another user, with a stream for its voice; the silent listener, 0, has none.
  func know(_ other: UInt32, channelCount: Int, call: SimulatedCall) throws {
    let stream =
      other == 0
      ? nil : CallStream(from: other, of: call, channelCount: channelCount, trace: traces.add(SpeakerID(uid: other)))
    // Files of received voices start with the call, whenever the two users meet.
    try stream?.open(in: pipeline)
    peers.append(CallPeer(other, at: uid, stream: stream, call: call))
  }

  /// The streams of received voices.
  var streams: [CallStream] { peers.compactMap(\.stream) }

  /// Reports the users in the call at its start.
  func begin(with members: Set<UInt32>) throws {
    self.members = members
    if isMember { try voice?.start(in: pipeline) }
    for stream in streams where !isMember || !members.contains(stream.uid) { try stream.close(in: pipeline) }
    try connectPeers()
  }

  /// Notifies the participant that a user has joined, perhaps itself.
  func join(_ user: UInt32) throws {
    members.insert(user)
    if user == uid { pipeline.restartCallTime() }
    guard isMember else { return }
    if user == uid { try voice?.start(in: pipeline) }
    try connectPeers()
  }

  /// Notifies the participant that a user has left, perhaps itself.
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

  /// Returns whether music is sent with the voice; nil if unchanged since the last call.
  func takeMusicNews() -> Bool? {
    let plays = isMember && pipeline.isMusicSent
    defer { playsMusic = plays }
    return plays == playsMusic ? nil : plays
  }

  /// Packets and changes of one tick.
  struct Sent {
    /// Packets to all other users.
    var voice: [CallPacket] = []
    /// Packets to one user each.
    var addressed: [(to: UInt32, packet: CallPacket)] = []
    /// Options of the voice from now on; nil if unchanged.
    var options: OpusOptions?
  }

  /// Runs one tick: plays packets that have arrived, and returns packets to send.
  func step(nowNanoseconds now: Int) throws -> Sent {
    let local = nextTick * Self.nanosecondsPerTick
    for peer in peers {
      peer.deliver(nowNanoseconds: now, clock: clock, to: pipeline)
      if let feedback = peer.takeFeedback() { pipeline.setLinkFeedback(feedback, from: peer.uid) }
    }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: local)
    nextTick += 1
    // Sounds that play may lengthen the delay of the voice.
    sendDelayNanoseconds = pipeline.sendDelay * 1_000_000_000 / OpusOptions.sampleRate
    if nextTick <= tickCount {
      for stream in streams { stream.measure(nowNanoseconds: now) }
      if nextTick == tickCount { for stream in streams { stream.close() } }
    } else if now >= endNanoseconds {
      // After the end, only sound still under way in the pipeline comes out.
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

  /// Returns the time of the last of `count` ticks, in nanoseconds of the call.
  func endNanoseconds(afterTicks count: Int) -> Int {
    clock.simulationNanoseconds(atLocal: (count - 1) * Self.nanosecondsPerTick)
  }

  /// Whether the call is over by the user's own clock.
  var hasEnded: Bool { nextTick > tickCount }

  /// Starts the run. Files end after `tickCount` ticks.
  func start(tickCount: Int, endNanoseconds: Int) throws {
    self.tickCount = tickCount
    self.endNanoseconds = endNanoseconds
    pipeline.recorder.limit(to: tickCount * OpusOptions.sampleRate / 100)
    try pipeline.startStepping(isEndless: true)
  }

  /// Returns the events of the pipeline since the last call, with the time of the call.
  func takeReports() -> [(nanoseconds: Int, kind: PipelineEvent.Kind)] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports.map { (clock.simulationNanoseconds(atLocal: $0.time.wholeNanoseconds), $0.kind) }
    }
  }

  /// Ends the run.
  ///
  /// - Throws: The error that kept the file from being read to its end.
  func finish() throws {
    pipeline.finishStepping()
    source?.close()
    if let error = source?.error, error.reason != .cancelled { throw error }
  }

  /// Connects to all peers in the call, if the participant itself is in the call.
  private func connectPeers() throws {
    guard isMember else { return }
    for peer in peers where peer.uid == 0 || members.contains(peer.uid) {
      try peer.connect(
        ssrc: voice?.ssrc ?? silentSSRC, nowNanoseconds: nextTick * Self.nanosecondsPerTick, pipeline: pipeline)
    }
  }
}
