import AudioGraph
import Engine

/// One user of a call while it runs: its pipeline, what it sends and what it hears.
final class CallParticipant {
  let uid: UInt32
  let pipeline: AudioPipeline
  let clock: DriftingClock
  private(set) var streams: [CallStream] = []
  private(set) var reader: AudioFileReader?
  private var source: FileSource?
  private var sender: PacketSender?
  private var nextTick = 0
  /// From capture to the point where packets are made.
  private var sendDelayNanoseconds = 0

  private static let nanosecondsPerTick = 10_000_000

  /// - Parameter user: nil for the listener who says nothing.
  init(_ user: CallUser?, channelCount: Int) throws {
    uid = user?.uid ?? 0
    clock = try DriftingClock(partsPerMillion: user?.driftPartsPerMillion ?? 0)
    pipeline = try AudioPipeline(
      PipelineOptions(sampleRate: OpusOptions.sampleRate, channelCount: channelCount, isLossless: true))
  }

  /// When its next tick is, in nanoseconds of the call.
  var nextTickNanoseconds: Int { clock.simulationNanoseconds(atLocal: nextTick * Self.nanosecondsPerTick) }

  /// Gives the user its voice and has it sent.
  func speak(_ user: CallUser, reader: AudioFileReader, channelCount: Int, call: SimulatedCall) throws {
    let source = try FileSource(
      reader, sampleRate: OpusOptions.sampleRate, uid: uid,
      startPosition: Int((user.startSeconds * Double(OpusOptions.sampleRate)).rounded()), ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    // RFC 3550: where a stream begins is random, so that nothing can rely on it.
    var random = RandomStream(seed: call.seed, path: UInt64(uid))
    let sender = try PacketSender(
      SenderOptions(
        codec: call.codec, channelCount: channelCount, ssrc: UInt32(truncatingIfNeeded: random.next()),
        firstSequenceNumber: UInt16(random.next() >> 49), firstTimestamp: UInt32(truncatingIfNeeded: random.next()),
        sourceID: uid))
    try pipeline.startSending(through: sender)
    (self.reader, self.source, self.sender) = (reader, source, sender)
  }

  /// Lets it hear another user.
  func hear(_ other: UInt32, channelCount: Int, call: SimulatedCall) throws {
    streams.append(
      try CallStream(from: other, to: uid, of: call, channelCount: channelCount, pipeline: pipeline))
  }

  /// One tick: what has arrived is played, and what is said is sent. Returns: the packets.
  func step(nowNanoseconds now: Int) -> [CallPacket] {
    for stream in streams { stream.deliver(nowNanoseconds: now, clock: clock) }
    _ = pipeline.waitUntilReady()
    pipeline.step(atNanoseconds: nextTick * Self.nanosecondsPerTick)
    nextTick += 1
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
    pipeline.limitRecordings(to: tickCount * OpusOptions.sampleRate / 100)
    try pipeline.startStepping()
    sendDelayNanoseconds = pipeline.sendDelay * 1_000_000_000 / OpusOptions.sampleRate
  }

  /// Ends its run. Throws: why its file could not be read to the end.
  func finish() throws {
    pipeline.finishStepping()
    source?.close()
    if let error = source?.error, error.reason != .cancelled { throw error }
  }
}
