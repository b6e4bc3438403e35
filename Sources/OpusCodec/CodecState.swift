import AudioGraph
import RTP
import Synchronization

/// Audio thread's half of a codec node.
struct CodecState: ~Copyable {
  private let counters: UnsafePointer<CodecCounters>
  private var encoder: OpusEncoder
  private var decoder: OpusDecoder
  private let channelCount: Int
  private let framesPerPacket: Int
  private let bitRate: Int
  private let pending: UnsafeMutablePointer<Float>
  /// Decoded packet, behind the end of the one before it.
  private let decoded: UnsafeMutablePointer<Float>
  /// Samples that the decoded packet waits, and `alignmentBefore` those that the sound before it has waited; nil before
  /// the first packet.
  private var alignment: Int?
  private var alignmentBefore: Int?
  private let packet: UnsafeMutableRawBufferPointer
  private var header: RTPHeader
  private var pendingFrames = 0
  /// Next frame of `decoded` that goes out; as many as a packet has if there is none.
  private var nextFrame: Int
  private var decodedTimestamp: UInt32 = 0
  private var decodedProvenance = Provenance.silence
  /// Samples per channel that came in. `given` went out decoded, `silent` as silence before the first packet. Of those
  /// given, `concealed` stand in for packets that failed.
  private(set) var taken = 0
  private(set) var given = 0
  private(set) var silent = 0
  private(set) var concealed = 0

  /// Dynamic payload type; browsers use 111 for Opus.
  private static var payloadType: UInt8 { @_noLocks get { 111 } }
  private static var samplesPerFrame: Int { @_noLocks get { 480 } }

  init(
    encoder: consuming OpusEncoder, decoder: consuming OpusDecoder, bitRate: Int, ssrc: UInt32,
    counters: UnsafePointer<CodecCounters>
  ) {
    self.counters = counters
    channelCount = encoder.channelCount
    self.bitRate = bitRate
    framesPerPacket = encoder.samplesPerPacket / CodecState.samplesPerFrame
    nextFrame = framesPerPacket
    let count = encoder.samplesPerPacket * encoder.channelCount
    pending = .allocate(capacity: count)
    pending.initialize(repeating: 0, count: count)
    let kept = CodecAlignment.longest * encoder.channelCount
    decoded = .allocate(capacity: kept + count)
    decoded.initialize(repeating: 0, count: kept + count)
    packet = .allocate(byteCount: RTPHeader.byteCount + OpusEncoder.maximumPacketByteCount, alignment: 8)
    // The first packet of a talk spurt carries the marker.
    header = RTPHeader(
      marker: true, payloadType: CodecState.payloadType, sequenceNumber: 0, timestamp: 0, ssrc: ssrc)
    self.encoder = encoder
    self.decoder = decoder
  }

  deinit {
    pending.deallocate()
    decoded.deallocate()
    packet.deallocate()
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    let count = CodecState.samplesPerFrame
    precondition(input.samplesPerChannel == count, "the codec works at 48 kHz")
    let target = pending + pendingFrames &* count &* channelCount
    for channel in 0..<channelCount {
      let plane = input.channel(channel)
      for index in 0..<count { target[index &* channelCount &+ channel] = OpusEncoder.bounded(plane[index]) }
    }
    taken &+= count
    pendingFrames &+= 1
    if pendingFrames == framesPerPacket {
      transmit()
      pendingFrames = 0
      nextFrame = 0
    }
    emit(output)
  }

  /// Samples per channel that wait for the rest of their packet, or are decoded and have not gone out.
  var held: Int { (pendingFrames + framesPerPacket - nextFrame) * CodecState.samplesPerFrame }

  /// Sends the pending samples through a packet into `decoded`.
  @_noLocks
  private mutating func transmit() {
    decodedTimestamp = header.timestamp
    let samples = encoder.samplesPerPacket
    let kept = CodecAlignment.longest &* channelCount
    for index in 0..<kept { decoded[index] = decoded[samples &* channelCount &+ index] }
    alignmentBefore = alignment
    do throws(OpusError) {
      try decodePacket(byteCount: try encodePacket())
      decodedProvenance = .decoded
    } catch {
      counters.pointee.failures.wrappingAdd(1, ordering: .relaxed)
      concealed &+= samples
      decodedProvenance = .concealed
      do throws(OpusError) {
        _ = try decoder.conceal(into: decoded + kept, count: samples)
      } catch {
        for index in 0..<(samples &* channelCount) { decoded[kept &+ index] = 0 }
        decodedProvenance = .silence
      }
    }
    header.marker = false
    header.sequenceNumber &+= 1
    header.timestamp &+= UInt32(truncatingIfNeeded: samples)
  }

  /// Encodes the pending samples into a packet.
  ///
  /// - Returns: bytes of the packet.
  @_noLocks
  private mutating func encodePacket() throws(OpusError) -> Int {
    do throws(RTPError) {
      try header.write(to: packet)
    } catch {
      throw OpusError(.encode, code: OpusLibrary.bufferTooSmall)
    }
    let payload = UnsafeMutableRawBufferPointer(
      start: packet.baseAddress! + RTPHeader.byteCount, count: packet.count &- RTPHeader.byteCount)
    let count = try encoder.encode(pending, into: payload)
    counters.pointee.packets.wrappingAdd(1, ordering: .relaxed)
    counters.pointee.payloadBytes.wrappingAdd(count, ordering: .relaxed)
    counters.pointee.packetBytes.wrappingAdd(RTPHeader.byteCount &+ count, ordering: .relaxed)
    return RTPHeader.byteCount &+ count
  }

  @_noLocks
  private mutating func decodePacket(byteCount: Int) throws(OpusError) {
    let bytes = UnsafeRawBufferPointer(start: packet.baseAddress, count: byteCount)
    let view: RTPPacketView
    do throws(RTPError) {
      view = try RTPPacketView(parsing: bytes)
    } catch {
      throw OpusError(.decode, code: OpusLibrary.invalidPacket)
    }
    decodedTimestamp = view.header.timestamp
    let payload = UnsafeRawBufferPointer(
      start: packet.baseAddress! + view.payloadOffset, count: view.payloadByteCount)
    let count = try decoder.decode(
      payload, into: decoded + CodecAlignment.longest &* channelCount, capacity: encoder.samplesPerPacket)
    guard count == encoder.samplesPerPacket else { throw OpusError(.decode, code: OpusLibrary.invalidPacket) }
    do throws(OpusPayloadError) {
      alignment = CodecAlignment.delay(of: try OpusPayload(parsing: payload), bitRate: bitRate)
    } catch {
      throw OpusError(.decode, code: OpusLibrary.invalidPacket)
    }
  }

  /// Puts the next decoded frame out; silence until there is one.
  @_noLocks
  private mutating func emit(_ output: Frame) {
    guard nextFrame < framesPerPacket else {
      output.header.pointee.provenance = .silence
      output.header.pointee.rtpTimestamp = nil
      silent &+= CodecState.samplesPerFrame
      return output.silence()
    }
    let count = CodecState.samplesPerFrame
    let delay = alignment ?? CodecAlignment.base
    let before = nextFrame == 0 ? alignmentBefore ?? delay : delay
    for channel in 0..<channelCount {
      let plane = output.channel(channel)
      let source = decoded + ((CodecAlignment.longest &+ nextFrame &* count) &* channelCount &+ channel)
      for index in 0..<count { plane[index] = source[(index &- delay) &* channelCount] }
      if before == delay { continue }
      // Another layer of the codec continues: its delay is faded in.
      for index in 0..<count {
        let left = Float(count &- index) / Float(count)
        plane[index] += left * (source[(index &- before) &* channelCount] - plane[index])
      }
    }
    output.header.pointee.provenance = decodedProvenance
    output.header.pointee.rtpTimestamp = decodedTimestamp
    nextFrame &+= 1
    given &+= count
  }
}
