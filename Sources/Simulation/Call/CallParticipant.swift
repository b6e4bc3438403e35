import AudioGraph
import Engine
import FrameObservers

/// One user of a call while it runs: its pipeline, what it sends and what it hears.
final class CallParticipant {
  let uid: UInt32
  let pipeline: AudioPipeline
  let clock: DriftingClock
  private(set) var streams: [CallStream] = []
  private(set) var reader: AudioFileReader?
  private var source: FileSource?
  /// Nil while nothing is sent.
  private var sender: PacketSender?
  private var senderOptions: SenderOptions?
  /// Counts senders: each time that the user joins there is a new one.
  private var senderCount = 0
  private let seed: UInt64
  private let reports = Guarded<[PipelineEvent]>([])
  /// Who is in the call, as far as has been told here.
  private var members: Set<UInt32> = []
  private var nextTick = 0
  /// Ticks of the call itself.
  private var tickCount = 0
  /// Whether music goes with its voice, as has been told.
  private var playsMusic = false
  /// From capture to the point where packets are made.
  private var sendDelayNanoseconds = 0

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameter user: nil for the listener who says nothing.
  init(_ user: CallUser?, channelCount: Int, seed: UInt64) throws {
    uid = user?.uid ?? 0
    self.seed = seed
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(sampleRate: OpusOptions.sampleRate, channelCount: channelCount, isLossless: true))
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
    senderOptions = SenderOptions(codec: call.codec, channelCount: channelCount, sourceID: uid)
    (self.reader, self.source) = (reader, source)
  }

  /// Gives it a way for another user's sound.
  func hear(_ other: UInt32, channelCount: Int, call: SimulatedCall) throws {
    let stream = try CallStream(from: other, to: uid, of: call, channelCount: channelCount, pipeline: pipeline)
    // Files of what is heard begin with the call, whenever the two meet.
    try stream.open(in: pipeline)
    streams.append(stream)
  }

  /// Says who is in the call when it begins.
  func begin(with members: Set<UInt32>) throws {
    self.members = members
    if isMember, senderOptions != nil { try startSending() }
    for stream in streams where !isMember || !members.contains(stream.uid) { try stream.close(in: pipeline) }
  }

  /// Says that somebody has come, itself perhaps.
  func join(_ user: UInt32) throws {
    members.insert(user)
    if user == uid { pipeline.restartCallTime() }
    guard isMember else { return }
    if user == uid, senderOptions != nil { try startSending() }
    for stream in streams where members.contains(stream.uid) { try stream.open(in: pipeline) }
  }

  /// Says that somebody has gone, itself perhaps.
  func leave(_ user: UInt32) throws {
    members.remove(user)
    if user == uid, let sender {
      try pipeline.stopSending(through: sender)
      self.sender = nil
    }
    for stream in streams where !isMember || stream.uid == user { try stream.close(in: pipeline) }
  }

  /// Whether music goes with its voice now, where that is another than before.
  func takeMusicNews() -> Bool? {
    let plays = isMember && pipeline.isMusicSent
    defer { playsMusic = plays }
    return plays == playsMusic ? nil : plays
  }

  /// One tick: what has arrived is played, and what is said is sent. Returns: the packets.
  func step(nowNanoseconds now: Int) -> [CallPacket] {
    for stream in streams { stream.deliver(nowNanoseconds: now, clock: clock, to: pipeline) }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: nextTick * Self.nanosecondsPerTick)
    nextTick += 1
    // What plays may lengthen the voice's way.
    sendDelayNanoseconds = pipeline.sendDelay * 1_000_000_000 / OpusOptions.sampleRate
    // Behind the end only what is under way in the pipeline comes out.
    guard nextTick <= tickCount else {
      while sender?.next({ _, _ in }) == true {}
      return []
    }
    for stream in streams { stream.measure(nowNanoseconds: now) }
    var packets: [CallPacket] = []
    while sender?.next({ bytes, _ in
      packets.append(
        CallPacket(
          bytes: Array(bytes), sentNanoseconds: now, capturedNanoseconds: now - sendDelayNanoseconds))
    }) == true {}
    return packets
  }

  /// Begins its run. Files end after `tickCount` ticks.
  func start(tickCount: Int) throws {
    self.tickCount = tickCount
    pipeline.limitRecordings(to: tickCount * OpusOptions.sampleRate / 100)
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

  private func startSending() throws {
    guard var options = senderOptions else { return }
    // RFC 3550: where a stream begins is random, so that nothing can rely on it.
    var random =
      senderCount == 0
      ? RandomStream(seed: seed, path: UInt64(uid)) : RandomStream(seed: seed, path: UInt64(uid), UInt64(senderCount))
    senderCount += 1
    options.ssrc = UInt32(truncatingIfNeeded: random.next())
    options.firstSequenceNumber = UInt16(random.next() >> 49)
    options.firstTimestamp = UInt32(truncatingIfNeeded: random.next())
    let sender = try PacketSender(options)
    try pipeline.startSending(through: sender)
    self.sender = sender
  }
}
