public import AudioGraph
public import RTP

/// One stream from the network, as frames: RTP packets in any order go in, 10 ms come out at every tick.
///
///     insert ─▶ gate ─▶ packet buffer ─▶ decode, recover, conceal ─▶ sample buffer ─▶ stretch ─▶ render
///                  └─▶ delay manager ── how long to wait ──────────────────────────────┘
///
/// A state machine without threads or clocks: the same calls with the same times give the same samples.
/// Shape: frames of 48 kHz and 10 ms. Thread: one at a time. Real-time: no lock, no allocation after `init`.
public struct JitterBuffer: ~Copyable {
  /// How the receiver was made.
  public let options: JitterBufferOptions
  /// What is being done.
  public internal(set) var stage = JitterBufferStage.idle

  /// For packets that nobody has judged.
  var arbiter = SourceArbiter(clockRate: JitterBuffer.sampleRate)
  var learnedType = LearnedPayloadType()
  var stream = ReceivedStream()
  var window = ArrivalWindow()
  var repaired = RepairedPackets()
  var packets = PacketBuffer()
  var decoder: PayloadDecoder
  var delay = DelayManager(sampleRate: JitterBuffer.sampleRate)
  var samples: SampleBuffer
  var segments = SegmentQueue()
  var concealment = Concealment()
  var lagSearch = LagSearch()
  var resampler = DriftResampler()
  var counters = JitterBufferStatistics()
  var jitter = ArrivalJitter()
  /// A packet as the codec gives it.
  let decoded: UnsafeMutablePointer<Float>
  var cursor = PlayoutCursor()
  var rendered = RenderedFrames()
  /// Packets that streams before this one have lost.
  var missingBefore = 0

  static var sampleRate: Int { @_noLocks get { 48_000 } }
  static var samplesPerFrame: Int { @_noLocks get { 480 } }
  /// Samples that wait beyond those of a frame, for what looks ahead.
  static var lookAhead: Int { @_noLocks get { 16 } }
  /// Samples by which packets are aimed to be there before a frame needs them, so that a clock that is followed to the
  /// fraction of a sample does not now and then need them a frame earlier: 0.5 ms.
  static var margin: Int { @_noLocks get { 24 } }
  /// So long after its last packet a stream has ended.
  static var offlineNanoseconds: Int { @_noLocks get { SourceArbiter.offlineNanoseconds } }
  /// A stream without FEC for so long has none: a sender that is told of losses for the first time may begin with it.
  private static var fecMemory: Int { @_noLocks get { 3_000_000_000 } }

  /// A receiver that has seen no packet.
  ///
  /// Throws: `EngineError` for options out of range, or when the codec cannot be made.
  public init(_ options: JitterBufferOptions = JitterBufferOptions()) throws(EngineError) {
    try options.validate()
    decoder = try PayloadDecoder(options.codec, channelCount: options.channelCount)
    self.options = options
    samples = SampleBuffer(channelCount: options.channelCount, heldCount: 3 * PayloadInfo.maximumSampleCount)
    let count = PayloadInfo.maximumSampleCount * options.channelCount
    // Written before it is read: what no packet is long enough for is never touched.
    decoded = .allocate(capacity: count)
  }

  deinit { decoded.deallocate() }

  /// Whether packets are decoded. While nobody listens they pass as silence, and all delays are known when somebody
  /// does.
  public var isDecoding: Bool {
    @_noLocks get { decoder.isEnabled }
    @_noLocks set { decoder.setEnabled(newValue) }
  }

  /// What has been counted so far.
  public var statistics: JitterBufferStatistics {
    @_noLocks get {
      var statistics = counters
      statistics.packetsLost = missingBefore &+ window.missingCount(below: cursor.nextSequence)
      statistics.overdueSamples &+= overdueSamples
      // What is made up counts when it is heard.
      statistics.concealedSamples &-= segments.concealedCount
      statistics.silentConcealedSamples &-= segments.frozenCount
      statistics.frozenSamples &-= segments.frozenCount
      statistics.heldSamples = samples.held &- segments.concealedCount
      statistics.payloadMismatches = decoder.mismatchCount
      return statistics
    }
  }

  /// What is being done and has been counted, for other threads.
  public var report: JitterBufferSnapshot {
    @_noLocks get {
      JitterBufferSnapshot(
        stage: stage, statistics: statistics, targetDelayNanoseconds: delay.targetDelay, drift: delay.clock.ppm,
        jitterNanoseconds: jitter.nanoseconds, ssrc: stream.ssrc, audioLevel: stream.audioLevel,
        soundEnd: rendered.soundEnd, playout: playout)
    }
  }

  /// Where the newest frame began in the stream.
  private var playout: PlayoutPosition? {
    @_noLocks get {
      guard let ssrc = stream.ssrc, !stage.isWaiting else { return nil }
      let begin = cursor.endTimestamp &- samples.held &- JitterBuffer.samplesPerFrame
      return PlayoutPosition(
        ssrc: ssrc, timestamp: UInt32(truncatingIfNeeded: begin), nanoseconds: rendered.newestNanoseconds,
        hasFEC: stream.newestArrival &- stream.newestFEC < JitterBuffer.fecMemory)
    }
  }

  /// Takes an RTP packet that came at `nanoseconds` of the engine's clock, no earlier than those before it.
  ///
  /// - Parameters:
  ///   - origin: whether it came as it was first sent. One that was sent again says nothing about how long packets
  ///     take; where the buffer may grow for answers, it says what it could have waited for.
  ///   - verdict: to which stream it belongs; nil = that is to be found out here. All packets come with one, or none.
  @_noLocks
  public mutating func insert(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds arrival: Int, origin: PacketOrigin = .first,
    decision: SourceArbiter.Decision? = nil
  ) {
    let content: PacketContent
    do throws(PacketContentError) {
      content = try PacketContent(of: packet, options, learned: learnedType)
    } catch {
      return insertSoundless(packet, error, arrival: arrival, decision: decision)
    }
    let (view, payload, info) = (content.view, content.payload, content.info)
    if !stage.isIdle, arrival &- stream.newestArrival > JitterBuffer.offlineNanoseconds { endSilently() }
    let source = view.header.ssrc
    switch decision ?? arbiter.classify(view.header, announcesPause: info.isDiscontinued, arrival: arrival) {
    case .unknownSource: counters.packetsFromUnknownSources &+= 1
    case .accepted(let sequence, let timestamp) where source == stream.ssrc:
      learnedType.note(view.header)
      readLevel(view, packet)
      store(info, payload, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: origin)
    case .accepted(let sequence, let timestamp), .begins(let sequence, let timestamp):
      // What the one who leaves has said is played first.
      if stream.isLeaving, source != stream.ssrc {
        counters.packetsFromUnknownSources &+= 1
        return
      }
      countLost(before: sequence, timestamp: timestamp, of: source, info, arrival: arrival)
      begin(sequence: sequence, timestamp: timestamp, source: source, arrival: arrival)
      learnedType.note(view.header)
      readLevel(view, packet)
      store(info, payload, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: .first)
    }
  }

  /// Takes a packet that holds nothing to be heard: the numbers of the stream go on with it, so it is not lost.
  @_noLocks
  private mutating func insertSoundless(
    _ packet: UnsafeRawBufferPointer, _ error: PacketContentError, arrival: Int, decision: SourceArbiter.Decision?
  ) {
    let header: RTPHeader
    do throws(RTPError) {
      header = try RTPHeader(parsing: packet)
    } catch {
      counters.packetsMalformed &+= 1
      return
    }
    guard case .accepted(let sequence, _) = decision ?? arbiter.classifySoundless(header, arrival: arrival),
      header.ssrc == stream.ssrc
    else {
      if case .malformed = error, stream.ssrc == nil, decision == nil {
        counters.packetsMalformed &+= 1
      } else {
        counters.packetsFromUnknownSources &+= 1
      }
      return
    }
    if case .malformed = error { counters.packetsMalformed &+= 1 } else { learnedType.noteOther(header) }
    noteSoundless(sequence, arrival: arrival)
  }

  /// Fills a frame of 10 ms at 48 kHz with what is to be heard at `nanoseconds`.
  ///
  /// The header gets position, source, RTP timestamp, provenance and the mark for silence.
  @_noLocks
  public mutating func render(into output: Frame, nowNanoseconds now: Int) {
    precondition(
      output.samplesPerChannel == JitterBuffer.samplesPerFrame && output.channelCount == options.channelCount,
      "a receiver renders 10 ms at 48 kHz in its own channels")
    output.header.pointee.samplePosition = rendered.frameCount &* JitterBuffer.samplesPerFrame
    output.header.pointee.sequenceNumber = rendered.frameCount
    output.header.pointee.sourceID = options.sourceID
    rendered.frameCount &+= 1
    rendered.newestNanoseconds = now
    if !stage.isIdle, now &- stream.newestArrival > JitterBuffer.offlineNanoseconds { endSilently() }
    if stream.isLeaving, stage.isSilent, !isPacketWaiting { end() }
    if stage.isIdle { return renderNothing(output, now: now) }
    fill(now: now)
    adapt(now: now)
    emit(output, now: now)
  }

  /// Whether a packet is there that has not been decoded.
  var isPacketWaiting: Bool {
    @_noLocks get {
      if case .some = packets.first(from: cursor.nextSequence) { return true }
      return false
    }
  }

  @_noLocks
  private mutating func readLevel(_ view: RTPPacketView, _ packet: UnsafeRawBufferPointer) {
    guard let identifier = options.audioLevelIdentifier else { return }
    // A broken extension costs the level, not the sound.
    do throws(RTPError) {
      if let level = try view.audioLevel(identifier: identifier, in: packet) { stream.audioLevel = level }
    } catch {
      return
    }
  }

  /// A stream begins with this packet.
  @_noLocks
  private mutating func begin(sequence: Int, timestamp: Int, source: UInt32, arrival: Int) {
    let kept = arbiter
    end()
    arbiter = kept
    if stream.begin(source: source) { counters.sourceChanges &+= 1 }
    decoder.reset()
    resampler.reset()
    concealment.reset()
    jitter = ArrivalJitter()
    delay.begin(timestamp: timestamp, arrival: arrival)
    stream.newestFEC = arrival
    cursor.nextSequence = sequence
    cursor.endTimestamp = timestamp
    stage = .starting
    counters.streamsBegun &+= 1
    if playable < JitterBuffer.margin { appendIdle(JitterBuffer.margin &- playable) }
  }

  @_noLocks
  static func nanoseconds(_ samples: Int) -> Int { samples &* 62_500 / 3 }
}
