import AudioGraph
import Metering
import OpusCodec
import RTP
import Synchronization

/// Audio thread's half of a `SenderNode`.
struct SenderState: ~Copyable {
  private var codec: SenderCodec
  private let packetCapacity = PacketMemory.bytesPerPacket
  private let channelCount: Int
  private let sourceID: UInt32
  private var encoder: OpusEncoder
  private var packets: RingProducer<OutgoingPacket>
  private var settings: LatestValueReader<SenderCodec>
  private let counters: UnsafePointer<SenderCounters>
  private var totals: LatestValueWriter<SenderTotals>
  private let pending: UnsafeMutablePointer<Float>
  private var pendingFrames = 0
  private var isPausing = false
  private var muted = SenderPause()
  /// Time of the next tick if nothing holds it up, in nanoseconds.
  private var nextTime = Int.max
  /// Samples that have passed without a tick and are not in any timestamp yet.
  private var unheard = 0
  private var levels: SenderLevels
  private var header: RTPHeader
  /// Sequence number of the header without its wraps.
  private var sequence: UInt32

  private static var samplesPerFrame: Int { @_noLocks get { 480 } }
  private static var nanosecondsPerFrame: Int { @_noLocks get { 10_000_000 } }
  private static var maximumFrames: Int { @_noLocks get { 2 } }
  /// Largest Opus packet, in bytes, that says that there is nothing to hear (RFC 6716, section 3.1; the TOC and a
  /// count).
  private static var emptyByteCount: Int { @_noLocks get { 2 } }

  init(
    options: SenderOptions, encoder: consuming OpusEncoder, packets: consuming RingProducer<OutgoingPacket>,
    settings: consuming LatestValueReader<SenderCodec>, counters: UnsafePointer<SenderCounters>,
    totals: consuming LatestValueWriter<SenderTotals>
  ) {
    codec = options.codec
    channelCount = options.channelCount
    sourceID = options.sourceID
    levels = SenderLevels(identifier: options.audioLevelIdentifier, channelCount: options.channelCount)
    self.encoder = encoder
    self.packets = packets
    self.settings = settings
    self.counters = counters
    self.totals = totals
    let count = SenderState.samplesPerFrame * SenderState.maximumFrames * options.channelCount
    pending = .allocate(capacity: count)
    pending.initialize(repeating: 0, count: count)
    sequence = UInt32(options.firstSequenceNumber)
    // The first packet of a talk spurt carries the marker.
    header = RTPHeader(
      marker: true, payloadType: options.payloadType, sequenceNumber: options.firstSequenceNumber,
      timestamp: options.firstTimestamp, ssrc: options.ssrc)
  }

  deinit { pending.deallocate() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    send(context)
    let tickCount = context.tick.index &+ 1
    guard StatisticsInterval.ends(afterTicks: tickCount) else { return }
    totals.write(
      SenderTotals(
        tickCount: tickCount, packets: counters.pointee.packets.load(ordering: .relaxed),
        payloadBytes: counters.pointee.payloadBytes.load(ordering: .relaxed),
        suppressed: counters.pointee.suppressed.load(ordering: .relaxed)))
  }

  @_noLocks
  private mutating func send(_ context: RenderContext) {
    let input = context.input(0)
    let count = SenderState.samplesPerFrame
    precondition(input.samplesPerChannel == count, "a sender works at 48 kHz")
    follow(context.tick.timeNanoseconds)
    guard counters.pointee.isSending.load(ordering: .relaxed) || isFadingOut(input) else {
      return pause(context.tick.timeNanoseconds)
    }
    muted.mutedFrames = 0
    let target = pending + pendingFrames &* count &* channelCount
    for channel in 0..<channelCount {
      let plane = input.channel(channel)
      for index in 0..<count { target[index &* channelCount &+ channel] = OpusEncoder.bounded(plane[index]) }
    }
    levels.observe(input, channelCount: channelCount, count: count)
    collect(context.tick.timeNanoseconds)
  }

  /// Returns whether a muted voice still comes for a frame, in which it fades.
  @_noLocks
  private func isFadingOut(_ input: Frame) -> Bool {
    guard case .some = muted.newestFirstByte else { return false }
    return muted.mutedFrames == 0 && !input.header.pointee.isSilent
  }

  /// Lets timestamps continue with time: if ticks were held up, as by a pipe, the next packet follows a pause.
  @_noLocks
  private mutating func follow(_ time: Int) {
    let late = nextTime == .max ? 0 : time &- nextTime
    nextTime = time &+ SenderState.nanosecondsPerFrame
    if late > SenderState.nanosecondsPerFrame { unheard &+= late &* 3 / 62_500 }
    // A packet that has begun is one sound.
    guard unheard > 0, pendingFrames == 0 else { return }
    header.timestamp &+= UInt32(truncatingIfNeeded: unheard)
    header.marker = true
    unheard = 0
  }

  /// Takes the frame that has been put behind those that wait, and sends them if they are a packet.
  @_noLocks
  private mutating func collect(_ time: Int) {
    if pendingFrames == 0 { takeSettings() }
    pendingFrames &+= 1
    guard pendingFrames == codec.packetDuration.frameCount else { return }
    transmit(time, sampleCount: pendingFrames &* SenderState.samplesPerFrame)
    pendingFrames = 0
    levels.endPacket()
  }

  /// Handles a voice that is muted or not captured. With Opus 500 ms of silence are sent, then a packet that announces
  /// the pause, and another every 400 ms. Numbers continue with the packets, timestamps with time: a receiver sees no
  /// loss.
  @_noLocks
  private mutating func pause(_ time: Int) {
    defer { muted.mutedFrames &+= 1 }
    guard let firstByte = muted.newestFirstByte else { return skip() }
    if muted.mutedFrames < MutedPacket.silentFrames(codec) || pendingFrames > 0 {
      muted.framesToMutedPacket = 0
      let count = SenderState.samplesPerFrame &* channelCount
      let target = pending + pendingFrames &* count
      for index in 0..<count { target[index] = 0 }
      levels.observeSilence()
      return collect(time)
    }
    if muted.framesToMutedPacket == 0 {
      muted.framesToMutedPacket = MutedPacket.intervalFrames
      transmitMuted(time, like: firstByte)
    }
    muted.framesToMutedPacket &-= 1
    skip()
  }

  /// Sends nothing; time continues, and the next packet begins a talk spurt.
  @_noLocks
  private mutating func skip() {
    header.timestamp &+= UInt32(truncatingIfNeeded: (pendingFrames &+ 1) &* SenderState.samplesPerFrame)
    header.marker = true
    pendingFrames = 0
    levels.endPacket()
  }

  @_noLocks
  private mutating func takeSettings() {
    codec = settings.read()
    guard case .opus(let options) = codec else { return }
    do throws(OpusError) {
      try encoder.configure(options)
    } catch {
      counters.pointee.failures.wrappingAdd(1, ordering: .relaxed)
    }
  }

  @_noLocks
  private mutating func transmit(_ time: Int, sampleCount: Int) {
    defer { header.timestamp &+= UInt32(truncatingIfNeeded: sampleCount) }
    // A full ring costs the packet, which counts as lost on the path: its number is used up.
    guard let slot = packets.reserve() else { return count(0) }
    let level = levels.level(pending, count: sampleCount &* channelCount)
    let packet = UnsafeMutableRawBufferPointer(start: slot.pointee.bytes, count: packetCapacity)
    let offset = writeHeader(to: packet, level)
    guard offset > 0 else { return }
    let payload = UnsafeMutableRawBufferPointer(
      start: slot.pointee.bytes + offset, count: packet.count &- offset)
    let byteCount = fill(payload, sampleCount: sampleCount)
    guard byteCount > 0 else {
      header.marker = true
      return
    }
    slot.pointee.byteCount = offset &+ byteCount
    slot.pointee.time = time
    packets.commit(1)
    count(byteCount)
  }

  /// Sends an announcement of the pause.
  @_noLocks
  private mutating func transmitMuted(_ time: Int, like firstByte: UInt8) {
    guard let slot = packets.reserve() else { return count(0) }
    header.marker = false
    let packet = UnsafeMutableRawBufferPointer(start: slot.pointee.bytes, count: packetCapacity)
    let offset = writeHeader(to: packet, AudioLevel(decibelsBelowOverload: 127, hasVoice: false))
    guard offset > 0 else { return }
    let payload = UnsafeMutableRawBufferPointer(start: slot.pointee.bytes + offset, count: packet.count &- offset)
    let byteCount: Int
    switch codec {
    case .opus:
      payload[0] = MutedPacket.header(like: firstByte)
      byteCount = 1
    case .null:
      byteCount = writeNull(to: payload, sampleCount: SenderState.samplesPerFrame, announcesPause: true)
    }
    slot.pointee.byteCount = offset &+ byteCount
    slot.pointee.time = time
    packets.commit(1)
    count(byteCount)
  }

  /// Writes the header.
  ///
  /// - Returns: offset of the payload; 0 if the header cannot be written.
  @_noLocks
  private func writeHeader(to packet: UnsafeMutableRawBufferPointer, _ level: AudioLevel) -> Int {
    do throws(RTPError) {
      var writer = try RTPPacketWriter(header, into: packet)
      if let identifier = levels.identifier { try writer.append(level, identifier: identifier) }
      return try writer.endHeader()
    } catch {
      counters.pointee.failures.wrappingAdd(1, ordering: .relaxed)
      return 0
    }
  }

  @_noLocks
  private mutating func count(_ byteCount: Int) {
    header.sequenceNumber &+= 1
    header.marker = false
    sequence &+= 1
    guard byteCount > 0 else { return }
    counters.pointee.packets.wrappingAdd(1, ordering: .relaxed)
    counters.pointee.payloadBytes.wrappingAdd(byteCount, ordering: .relaxed)
  }

  /// Writes the payload.
  ///
  /// - Returns: bytes of the payload; 0 if nothing is to be sent.
  @_noLocks
  private mutating func fill(_ payload: UnsafeMutableRawBufferPointer, sampleCount: Int) -> Int {
    guard case .opus(let options) = codec else {
      let byteCount = writeNull(to: payload, sampleCount: sampleCount, announcesPause: false)
      muted.newestFirstByte = payload[0]
      return byteCount
    }
    do throws(OpusError) {
      let byteCount = try encoder.encode(pending, into: payload)
      let wasPausing = isPausing
      isPausing = options.discontinuousTransmission && byteCount <= SenderState.emptyByteCount
      // The first empty packet of a pause is sent: it says that the following silence is not a loss.
      if isPausing, wasPausing {
        counters.pointee.suppressed.wrappingAdd(1, ordering: .relaxed)
        return 0
      }
      muted.newestFirstByte = payload[0]
      return byteCount
    } catch {
      counters.pointee.failures.wrappingAdd(1, ordering: .relaxed)
      return 0
    }
  }

  @_noLocks
  private func writeNull(to payload: UnsafeMutableRawBufferPointer, sampleCount: Int, announcesPause: Bool) -> Int {
    NullPayload(
      source: sourceID, sequence: sequence, sampleCount: UInt16(truncatingIfNeeded: sampleCount),
      announcesPause: announcesPause
    ).write(to: payload)
  }
}
