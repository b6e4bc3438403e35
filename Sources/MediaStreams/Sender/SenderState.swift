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
  let sourceID: UInt32
  private var encoder: OpusEncoder
  /// Encoder of plain samples; nil for other codecs.
  private var linear: LinearEncoder?
  private let isLinear: Bool
  private var packets: RingProducer<OutgoingPacket>
  private var settings: LatestValueReader<SenderCodec>
  let counters: UnsafePointer<SenderCounters>
  private var totals: LatestValueWriter<SenderTotals>
  private let pending: UnsafeMutablePointer<Float>
  private var pendingFrames = 0
  private var isPausing = false
  private var muted = SenderPause()
  /// Time of the next tick if nothing holds it up, in nanoseconds.
  private var nextTime = Int.max
  /// Samples that have passed without a tick and are not in any timestamp yet.
  private var unheard = 0
  var levels: SenderLevels
  var header: RTPHeader
  /// Sequence number of the header without its wraps.
  var sequence: UInt32

  private static var samplesPerFrame: Int { @_noLocks get { 480 } }
  private static var nanosecondsPerFrame: Int { @_noLocks get { 10_000_000 } }
  private static var maximumFrames: Int { @_noLocks get { 2 } }
  /// Largest Opus packet, in bytes, that says that there is nothing to hear (RFC 6716, section 3.1; the TOC and a
  /// count).
  private static var emptyByteCount: Int { @_noLocks get { 2 } }

  init(
    options: SenderOptions, linear: consuming LinearEncoder?, encoder: consuming OpusEncoder,
    packets: consuming RingProducer<OutgoingPacket>,
    settings: consuming LatestValueReader<SenderCodec>, counters: UnsafePointer<SenderCounters>,
    totals: consuming LatestValueWriter<SenderTotals>
  ) {
    codec = options.codec
    channelCount = options.channelCount
    sourceID = options.sourceID
    levels = SenderLevels(identifier: options.audioLevelIdentifier, channelCount: options.channelCount)
    self.encoder = encoder
    isLinear = options.codec.isLinear
    self.linear = linear
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
    if isLinear { linear?.append(input) } else { keep(input) }
    levels.observe(input, channelCount: channelCount, count: count)
    collect(context.tick.timeNanoseconds)
  }

  /// Puts a frame behind those that wait.
  @_noLocks
  private func keep(_ input: Frame) {
    let count = SenderState.samplesPerFrame
    let target = pending + pendingFrames &* count &* channelCount
    for channel in 0..<channelCount {
      let plane = input.channel(channel)
      for index in 0..<count { target[index &* channelCount &+ channel] = OpusEncoder.bounded(plane[index]) }
    }
  }

  /// Lets the timestamp pass over samples of 48 kHz that are not sent.
  @_noLocks
  private mutating func pass(_ count: Int) {
    header.timestamp &+= UInt32(truncatingIfNeeded: linear?.pass(count) ?? count)
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
    let starts = counters.pointee.starts.load(ordering: .relaxed)
    // The frames from before a stop of the sender are no part of the packet behind it.
    if starts != muted.startCount, late > SenderState.nanosecondsPerFrame, pendingFrames > 0 {
      pass(pendingFrames &* SenderState.samplesPerFrame)
      linear?.removeAll()
      pendingFrames = 0
      levels.endPacket()
    }
    muted.startCount = starts
    // A packet that has begun is one sound.
    guard unheard > 0, pendingFrames == 0 else { return }
    pass(unheard)
    header.marker = true
    unheard = 0
  }

  /// Takes the frame that has been put behind those that wait, and sends them if they are a packet.
  @_noLocks
  private mutating func collect(_ time: Int) {
    if pendingFrames == 0 { takeSettings() }
    pendingFrames &+= 1
    guard pendingFrames == codec.packetDuration.frameCount else { return }
    if isLinear { transmitLinear(time) } else { transmit(time, pending, pendingFrames &* SenderState.samplesPerFrame) }
    pendingFrames = 0
    levels.endPacket()
  }

  /// Handles a voice that is muted or not captured. With Opus 500 ms of silence are sent, then a packet that announces
  /// the pause, and another every 400 ms; with G.711 silence alone, from the sender's beginning on. Numbers continue
  /// with the packets, timestamps with time: a receiver sees no loss.
  @_noLocks
  private mutating func pause(_ time: Int) {
    defer { muted.mutedFrames &+= 1 }
    guard muted.newestFirstByte != nil || MutedPacket.silentFrames(codec) == .max else { return skip() }
    if muted.mutedFrames < MutedPacket.silentFrames(codec) || pendingFrames > 0 {
      muted.framesToMutedPacket = 0
      let count = SenderState.samplesPerFrame &* channelCount
      let target = pending + pendingFrames &* count
      if isLinear { linear?.appendSilence() } else { for index in 0..<count { target[index] = 0 } }
      levels.observeSilence()
      return collect(time)
    }
    // Plain samples have no announcement.
    if isLinear { return skip() }
    if let firstByte = muted.newestFirstByte, muted.framesToMutedPacket == 0 {
      muted.framesToMutedPacket = MutedPacket.intervalFrames
      transmitMuted(time, like: firstByte)
    }
    muted.framesToMutedPacket &-= 1
    skip()
  }

  /// Sends nothing; time continues, and the next packet begins a talk spurt.
  @_noLocks
  private mutating func skip() {
    pass((pendingFrames &+ 1) &* SenderState.samplesPerFrame)
    linear?.removeAll()
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

  /// Sends the plain samples that wait, in as many packets as they need.
  @_noLocks
  private mutating func transmitLinear(_ time: Int) {
    guard let samples = linear?.held, let channels = linear?.channelCount else { return }
    var sent = 0
    while let count = linear?.nextCount(after: sent), count > 0 {
      transmit(time, samples + sent &* channels, count, after: sent, channels: channels)
      sent &+= count
    }
    linear?.removeAll()
  }

  /// Sends a packet.
  ///
  /// - Parameters:
  ///   - time: time of the tick that completed it, in nanoseconds.
  ///   - samples: its interleaved samples, for the level.
  ///   - sampleCount: samples per channel, in units of the stream's clock.
  ///   - sent: plain samples per channel before those of the packet.
  ///   - channels: channels of the samples; nil: those of the sender.
  @_noLocks
  private mutating func transmit(
    _ time: Int, _ samples: UnsafePointer<Float>, _ sampleCount: Int, after sent: Int = 0, channels: Int? = nil
  ) {
    defer { header.timestamp &+= UInt32(truncatingIfNeeded: sampleCount) }
    // A full ring costs the packet, which counts as lost on the path: its number is used up.
    guard let slot = packets.reserve() else { return count(0) }
    let level = levels.level(samples, count: sampleCount &* (channels ?? channelCount))
    let packet = UnsafeMutableRawBufferPointer(start: slot.pointee.bytes, count: packetCapacity)
    let offset = writeHeader(to: packet, level)
    guard offset > 0 else { return }
    let payload = UnsafeMutableRawBufferPointer(
      start: slot.pointee.bytes + offset, count: packet.count &- offset)
    let byteCount = fill(payload, sampleCount: sampleCount, after: sent)
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
    case .pcmu, .pcma, .linear16, .null:
      byteCount = writeNull(to: payload, sampleCount: SenderState.samplesPerFrame, announcesPause: true)
    }
    slot.pointee.byteCount = offset &+ byteCount
    slot.pointee.time = time
    packets.commit(1)
    count(byteCount)
  }

  /// Writes the payload.
  ///
  /// - Returns: bytes of the payload; 0 if nothing is to be sent.
  @_noLocks
  private mutating func fill(_ payload: UnsafeMutableRawBufferPointer, sampleCount: Int, after sent: Int) -> Int {
    if isLinear {
      muted.newestFirstByte = 0
      return linear?.write(sampleCount, after: sent, to: payload) ?? 0
    }
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
}
