public import AudioGraph
import Platform
public import RTP

/// Turns one stream from the network into frames: RTP packets in any order go in, 10 ms come out at every tick.
///
///     insert ─▶ gate ─▶ packet buffer ─▶ decode, recover, conceal ─▶ sample buffer ─▶ stretch ─▶ render
///                  └─▶ delay manager ── how long to wait ──────────────────────────────┘
///
/// A state machine without threads or clocks: the same calls with the same times give the same samples. Shape: frames
/// of 48 kHz and 10 ms. Thread: one at a time. Real-time: no lock, no allocation after `init`.
public struct JitterBuffer: ~Copyable {
  /// Options of the receiver.
  public let options: JitterBufferOptions
  /// Present stage of the receiver.
  public internal(set) var stage = JitterBufferStage.idle

  /// Arbiter for packets that come without a decision.
  var arbiter: SourceArbiter
  /// Clock of the stream's timestamps. All others in the buffer are in samples of 48 kHz.
  let clock: StreamClock
  var learnedType = LearnedPayloadType()
  var stream = ReceivedStream()
  var window = ArrivalWindow()
  var repaired = RepairedPackets()
  var packets = PacketBuffer()
  var decoder: PayloadDecoder
  var delay: DelayManager
  var samples: SampleBuffer
  var segments = SegmentQueue()
  var concealment = Concealment()
  var lagSearch = TimeStretchLagSearch()
  var resampler = DriftResampler()
  var counters = JitterBufferStatistics()
  var jitter = ArrivalJitter()
  /// Samples of a packet as the codec gives them.
  let decoded: UnsafeMutablePointer<Float>
  var cursor = PlayoutCursor()
  var rendered = RenderedFrames()
  /// Packets lost in earlier streams.
  var missingBefore = 0

  static var sampleRate: Int { @_noLocks get { 48_000 } }
  static var samplesPerFrame: Int { @_noLocks get { 480 } }
  /// Samples that wait beyond those of a frame, for filters that look ahead.
  static var lookAhead: Int { @_noLocks get { 16 } }
  /// Samples by which packets are meant to come before a frame needs them: 0.5 ms. Otherwise a clock followed to the
  /// fraction of a sample would now and then need them a frame earlier.
  static var margin: Int { @_noLocks get { 24 } }
  /// Time after its last packet at which a stream has ended, in nanoseconds.
  static var offlineNanoseconds: Int { @_noLocks get { SourceArbiter.offlineNanoseconds } }
  /// Time without FEC after which a stream has none, in nanoseconds: a sender that learns of losses for the first time
  /// may begin with it.
  private static var fecMemory: Int { @_noLocks get { 3_000_000_000 } }

  /// Creates a receiver that has seen no packet.
  ///
  /// - Parameter options: options of the receiver.
  /// - Throws: `EngineError` for options out of range, or if the codec cannot be created.
  public init(_ options: JitterBufferOptions = JitterBufferOptions()) throws(EngineError) {
    try options.validate()
    decoder = try PayloadDecoder(options.codec, channelCount: options.channelCount, isRelayed: options.isRelayed)
    self.options = options
    arbiter = SourceArbiter(clockRate: options.codec.clockRate)
    clock = StreamClock(rate: options.codec.clockRate)
    delay = DelayManager(sampleRate: JitterBuffer.sampleRate, hasFreeLengths: options.codec.bytesPerSample != nil)
    let longest = options.codec.maximumSampleCount
    samples = SampleBuffer(channelCount: options.channelCount, heldCount: 3 * longest)
    let count = longest * options.channelCount
    // Written before it is read: memory beyond the longest packet is never touched.
    decoded = .allocate(capacity: count)
  }

  deinit { decoded.deallocate() }

  /// Whether packets are decoded. While nobody listens, they pass as silence, and all delays are known as soon as
  /// somebody listens.
  public var isDecoding: Bool {
    @_noLocks get { decoder.isEnabled }
    @_noLocks set { decoder.setEnabled(newValue) }
  }

  /// Shortest mean wait of a sample, in nanoseconds; 0 at first: the network alone decides.
  public var minimumDelayNanoseconds: Int {
    @_noLocks get { delay.minimumDelay }
    @_noLocks set { delay.minimumDelay = newValue }
  }

  /// Counters so far.
  public var statistics: JitterBufferStatistics {
    @_noLocks get {
      var statistics = counters
      statistics.packetsLost = missingBefore &+ window.missingCount(below: cursor.nextSequence)
      statistics.overdueSamples &+= overdueSamples
      // Concealed samples count when they are played.
      statistics.concealedSamples &-= segments.concealedCount
      statistics.silentConcealedSamples &-= segments.frozenCount
      statistics.frozenSamples &-= segments.frozenCount
      statistics.heldSamples = samples.held &- segments.concealedCount
      statistics.payloadMismatches = decoder.mismatchCount
      return statistics
    }
  }

  /// Stage and counters, for other threads.
  public var report: JitterBufferSnapshot {
    @_noLocks get {
      JitterBufferSnapshot(
        stage: stage, statistics: statistics, targetDelayNanoseconds: delay.targetDelay, drift: delay.clock.ppm,
        jitterNanoseconds: jitter.nanoseconds, ssrc: stream.ssrc, audioLevel: stream.audioLevel,
        soundEnd: rendered.soundEnd, playout: playout)
    }
  }

  /// Position of the newest frame's beginning in the stream; nil before anything was played.
  private var playout: PlayoutPosition? {
    @_noLocks get {
      guard let ssrc = stream.ssrc, !stage.isWaiting else { return nil }
      let begin = cursor.endTimestamp &- samples.held &- JitterBuffer.samplesPerFrame
      return PlayoutPosition(
        ssrc: ssrc, timestamp: clock.timestamp(begin), nanoseconds: rendered.newestNanoseconds, hasFEC: hasFEC)
    }
  }

  /// Whether packets carry FEC at present.
  var hasFEC: Bool { @_noLocks get { stream.newestArrival &- stream.newestFEC < JitterBuffer.fecMemory } }

  /// Takes an RTP packet.
  ///
  /// - Parameters:
  ///   - packet: bytes of the packet.
  ///   - arrival: time of arrival in nanoseconds of the engine's clock, no earlier than those before it.
  ///   - origin: whether the packet came as first sent. A retransmission says nothing about how long packets take; if
  ///     the buffer may grow for retransmissions, it shows a wait that would have been enough.
  ///   - decision: stream of the packet; nil if the receiver is to find out. All packets come with a decision, or none.
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
    let (view, payload) = (content.view, content.payload)
    var info = content.info
    if !stage.isIdle, arrival &- stream.newestArrival > JitterBuffer.offlineNanoseconds { endSilently() }
    let source = view.header.ssrc
    switch decision ?? arbiter.classify(view.header, announcesPause: info.isDiscontinued, arrival: arrival) {
    case .unknownSource: counters.packetsFromUnknownSources &+= 1
    case .accepted(let sequence, let timestamp) where source == stream.ssrc:
      learnedType.note(view.header)
      readLevel(view, packet)
      info.place(at: timestamp, clock)
      store(
        info, payload, sequence: sequence, timestamp: clock.samples(timestamp), arrival: arrival, origin: origin)
    case .accepted(let sequence, let unscaled), .begins(let sequence, let unscaled):
      // Sound of the source that leaves is played first.
      if stream.isLeaving, source != stream.ssrc {
        ReachPoints.note(.sourceDeferred)
        counters.packetsFromUnknownSources &+= 1
        return
      }
      let timestamp = clock.samples(unscaled)
      info.place(at: unscaled, clock)
      countLost(before: sequence, timestamp: timestamp, of: source, info, arrival: arrival)
      begin(sequence: sequence, timestamp: timestamp, source: source, arrival: arrival)
      learnedType.note(view.header)
      readLevel(view, packet)
      store(info, payload, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: .first)
    }
  }

  /// Takes a packet without sound: the numbers of the stream continue with it, so it is not lost.
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
    if case .malformed = error { counters.packetsMalformed &+= 1 }
    learnedType.noteOther(header)
    noteSoundless(sequence, arrival: arrival)
  }

  /// Fills a frame of 10 ms at 48 kHz with the sound due at `now`, in nanoseconds.
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

  /// Whether a packet waits that has not been decoded.
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

  /// Starts a stream with this packet.
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
