public import AudioGraph
public import Transport

/// One stream from the network, as frames: RTP packets in any order go in, 10 ms come out at every tick.
///
///     insert ─▶ gate ─▶ packet buffer ─▶ decode, recover, conceal ─▶ sample buffer ─▶ stretch ─▶ render
///                  └─▶ delay manager ── how long to wait ──────────────────────────────┘
///
/// A state machine without threads or clocks: the same calls with the same times give the same samples.
/// Shape: frames of 48 kHz and 10 ms. Thread: one at a time. Real-time: no lock, no allocation after `init`.
public struct Receiver: ~Copyable {
  /// How the receiver was made.
  public let options: ReceiverOptions
  /// What is being done.
  public internal(set) var stage = ReceiverStage.idle

  var gate = StreamGate(sampleRate: Receiver.sampleRate)
  var window = ArrivalWindow()
  var recovered = RecentSequences()
  var packets = PacketBuffer()
  var decoder: PayloadDecoder
  var delay = DelayManager(sampleRate: Receiver.sampleRate)
  var samples: SampleBuffer
  var segments = SegmentQueue()
  var concealment = Concealment()
  var lagSearch = LagSearch()
  var resampler = DriftResampler()
  var counters = ReceiverStatistics()
  private var jitter = ArrivalJitter()
  /// A packet as the codec gives it.
  let decoded: UnsafeMutablePointer<Float>
  /// The next packet to be decoded.
  var nextSequence = 0
  /// The sender's timestamp behind the last sample that waits.
  var endTimestamp = 0
  /// When the newest packet of the stream came.
  var newestArrival = 0
  /// Samples since nothing was left of concealment; 0 while something is heard.
  var frozenRun = 0
  /// Frames since the delay was last changed by a splice.
  var framesSinceSplice = 0
  /// Samples rendered up to the end of the last frame with sound out of a packet.
  var soundEnd = 0
  /// How loud the newest packet says it is.
  private var audioLevel: AudioLevel?
  /// True once the sender has said goodbye: what waits is played, and nothing is made up behind it.
  private(set) var isLeaving = false
  /// Frames rendered so far.
  private(set) var frameCount = 0
  private var missingBefore = 0

  static var sampleRate: Int { @_noLocks get { 48_000 } }
  static var samplesPerFrame: Int { @_noLocks get { 480 } }
  /// Samples that wait beyond those of a frame, for what looks ahead.
  static var lookAhead: Int { @_noLocks get { 16 } }
  /// Samples by which packets are aimed to be there before a frame needs them, so that a clock that is followed to the
  /// fraction of a sample does not now and then need them a frame earlier: 0.5 ms.
  static var margin: Int { @_noLocks get { 24 } }
  /// What is heard of a stream that ends: 5 ms.
  private static var fadeOutSamples: Int { @_noLocks get { 240 } }
  /// So long after its last packet a stream has ended.
  static var offlineNanoseconds: Int { @_noLocks get { 15_000_000_000 } }

  /// A receiver that has seen no packet.
  ///
  /// Throws: `EngineError` for options out of range, or when the codec cannot be made.
  public init(_ options: ReceiverOptions = ReceiverOptions()) throws(EngineError) {
    try options.validate()
    decoder = try PayloadDecoder(options.codec, channelCount: options.channelCount)
    self.options = options
    samples = SampleBuffer(channelCount: options.channelCount, heldCount: 3 * PayloadInfo.maximumSampleCount)
    let count = PayloadInfo.maximumSampleCount * options.channelCount
    decoded = .allocate(capacity: count)
    decoded.initialize(repeating: 0, count: count)
  }

  deinit { decoded.deallocate() }

  /// Whether packets are decoded. While nobody listens they pass as silence, and all delays are known when somebody does.
  public var isDecoding: Bool {
    @_noLocks get { decoder.isEnabled }
    @_noLocks set { decoder.setEnabled(newValue) }
  }

  /// What has been counted so far.
  public var statistics: ReceiverStatistics {
    @_noLocks get {
      var statistics = counters
      statistics.packetsLost = missingBefore &+ window.missingCount
      statistics.heldSamples = samples.held
      statistics.payloadMismatches = decoder.mismatchCount
      return statistics
    }
  }

  /// What is being done and has been counted, for other threads.
  public var report: ReceiverReport {
    @_noLocks get {
      ReceiverReport(
        stage: stage, statistics: statistics, targetDelayNanoseconds: delay.targetDelay, drift: delay.clock.ppm,
        jitterNanoseconds: jitter.nanoseconds, audioLevel: audioLevel, soundEnd: soundEnd, playout: playout)
    }
  }

  /// Where the newest frame began in the stream.
  private var playout: PlayoutPosition? {
    @_noLocks get {
      guard let ssrc = gate.ssrc, !stage.isWaiting else { return nil }
      let begin = endTimestamp &- samples.held &- Receiver.samplesPerFrame
      return PlayoutPosition(ssrc: ssrc, timestamp: UInt32(truncatingIfNeeded: begin))
    }
  }

  /// Takes an RTP packet that came at `nanoseconds` of the engine's clock, no earlier than those before it.
  ///
  /// - Parameter origin: whether it came as it was first sent. One that was sent again says nothing about how long packets
  ///   take; where answers come soon, it says what the buffer could have waited for.
  @_noLocks
  public mutating func insert(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds arrival: Int, origin: PacketOrigin = .first
  ) {
    let view: RTPPacketView
    do throws(RTPError) {
      view = try RTPPacketView(parsing: packet)
    } catch {
      counters.packetsMalformed &+= 1
      return
    }
    if let expected = options.payloadType, view.header.payloadType != expected {
      counters.packetsStray &+= 1
      return
    }
    guard let base = packet.baseAddress else { return }
    let payload = UnsafeRawBufferPointer(start: base + view.payloadOffset, count: view.payloadByteCount)
    guard payload.count <= PacketBuffer.bytesPerPayload,
      let info = PayloadInfo(payload, codec: options.codec, channelCount: options.channelCount)
    else {
      counters.packetsMalformed &+= 1
      return
    }
    readLevel(view, packet)
    switch gate.judge(view.header, arrival: arrival) {
    case .stray: counters.packetsStray &+= 1
    case .begins(let sequence, let timestamp):
      begin(sequence: sequence, timestamp: timestamp, arrival: arrival)
      store(info, payload, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: .first)
    case .accepted(let sequence, let timestamp):
      store(info, payload, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: origin)
    }
  }

  /// Fills a frame of 10 ms at 48 kHz with what is to be heard at `nanoseconds`.
  ///
  /// The header gets position, source, RTP timestamp, provenance and the mark for silence.
  @_noLocks
  public mutating func render(into output: Frame, nowNanoseconds now: Int) {
    precondition(
      output.samplesPerChannel == Receiver.samplesPerFrame && output.channelCount == options.channelCount,
      "a receiver renders 10 ms at 48 kHz in its own channels")
    output.header.pointee.samplePosition = frameCount &* Receiver.samplesPerFrame
    output.header.pointee.sequenceNumber = frameCount
    output.header.pointee.sourceID = options.sourceID
    frameCount &+= 1
    if !stage.isIdle, now &- newestArrival > Receiver.offlineNanoseconds { end() }
    if isLeaving, stage.isSilent, !isPacketWaiting { end() }
    if stage.isIdle { return renderNothing(output, now: now) }
    fill(now: now)
    adapt(now: now)
    emit(output, now: now)
  }

  /// The stream ends; a packet that follows is the first of another. What is heard fades out over 5 ms.
  @_noLocks
  mutating func end() {
    let kept = min(samples.held, Receiver.fadeOutSamples)
    counters.droppedSamples &+= samples.held &- kept
    samples.truncate(to: kept)
    fadeOut()
    forget()
    segments.removeAll()
    segments.append(PlayoutSegment(count: kept, provenance: .concealed))
  }

  /// The sender has said goodbye: what has come is played to its end, and the stream has ended then.
  @_noLocks
  public mutating func leave() { if !stage.isIdle { isLeaving = true } }

  /// The end of a stream whose sender has left: nothing waits any more but what has been decoded.
  @_noLocks
  mutating func endPlayed() {
    fadeOut()
    forget()
  }

  /// Whether a packet is there that has not been decoded.
  var isPacketWaiting: Bool {
    @_noLocks get {
      if case .some = packets.first(from: nextSequence) { return true }
      return false
    }
  }

  @_noLocks
  private mutating func fadeOut() {
    let faded = min(samples.held, Receiver.fadeOutSamples)
    if faded > 0 { samples.scale(from: faded, faded, Ramp(from: 1, to: 0)) }
  }

  @_noLocks
  private mutating func readLevel(_ view: RTPPacketView, _ packet: UnsafeRawBufferPointer) {
    guard let identifier = options.audioLevelIdentifier else { return }
    // A broken extension costs the level, not the sound.
    do throws(RTPError) {
      if let level = try view.audioLevel(identifier: identifier, in: packet) { audioLevel = level }
    } catch {
      return
    }
  }

  /// Forgets the stream.
  @_noLocks
  private mutating func forget() {
    counters.packetsDiscarded &+= packets.removeAll()
    missingBefore &+= window.missingCount
    window.reset()
    recovered.reset()
    gate.reset()
    frozenRun = 0
    isLeaving = false
    audioLevel = nil
    stage = .idle
  }

  /// A stream begins with this packet.
  @_noLocks
  private mutating func begin(sequence: Int, timestamp: Int, arrival: Int) {
    let kept = gate
    end()
    gate = kept
    decoder.reset()
    resampler.reset()
    concealment.reset()
    jitter = ArrivalJitter()
    delay.begin(timestamp: timestamp, arrival: arrival)
    nextSequence = sequence
    endTimestamp = timestamp
    stage = .starting
    counters.streamsBegun &+= 1
    if playable < Receiver.margin { appendIdle(Receiver.margin &- playable) }
  }

  /// Puts a packet into the buffer, and lets the delay manager know.
  @_noLocks
  private mutating func store(
    _ info: PayloadInfo, _ payload: UnsafeRawBufferPointer, sequence: Int, timestamp: Int, arrival: Int,
    origin: PacketOrigin
  ) {
    guard window.insert(sequence) else {
      counters.packetsDuplicated &+= 1
      return
    }
    counters.packetsReceived &+= 1
    counters.bytesReceived &+= payload.count
    if info.hasRedundancy { counters.fecPacketsReceived &+= 1 }
    newestArrival = arrival
    if case .first = origin { jitter.observe(sequence: sequence, timestamp: timestamp, arrival: arrival) }
    observe(info, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: origin)
    // Before anything is played, what was sent earlier and came later is still welcome.
    if case .starting = stage, sequence < nextSequence { nextSequence = sequence }
    if sequence < nextSequence {
      if case .first = origin { counters.packetsDiscarded &+= 1 }
      return
    }
    if sequence &- nextSequence >= PacketBuffer.capacity {
      // So far ahead that what waits would hold it up for seconds.
      nextSequence = sequence &- PacketBuffer.capacity &+ 1
      counters.packetsDiscarded &+= packets.removeAll(below: nextSequence)
    }
    let slot = PacketSlot(
      sequence: sequence, timestamp: timestamp, sampleCount: info.sampleCount, arrival: arrival,
      byteCount: payload.count, hasRedundancy: info.hasRedundancy, isDiscontinued: info.isDiscontinued)
    if !packets.insert(slot, payload: payload) {
      counters.packetsDiscarded &+= 1
      return
    }
    if case .first = origin { return }
    counters.retransmittedPacketsUsed &+= 1
  }

  /// Lets the delay manager know of a packet.
  @_noLocks
  private mutating func observe(
    _ info: PayloadInfo, sequence: Int, timestamp: Int, arrival: Int, origin: PacketOrigin
  ) {
    let duration = Receiver.nanoseconds(info.sampleCount)
    // What was rebuilt in time need not have come: somebody may have sent it again.
    let wasMissed = !recovered.contains(sequence)
    switch origin {
    case .first:
      guard wasMissed else { return }
      delay.observe(timestamp: timestamp, duration: duration, arrival: arrival, playout: playoutTransit(at: arrival))
    case .resent: counters.retransmittedPacketsReceived &+= 1
    case .resentSoon:
      counters.retransmittedPacketsReceived &+= 1
      guard wasMissed else { return }
      // What the packet behind it could have rebuilt was there as soon as that.
      var available = arrival
      if let next = packets.packet(sequence &+ 1), next.pointee.hasRedundancy { available = next.pointee.arrival }
      delay.observeRecovered(timestamp: timestamp, duration: duration, arrival: available)
    }
  }

  @_noLocks
  static func nanoseconds(_ samples: Int) -> Int { samples &* 62_500 / 3 }
}
