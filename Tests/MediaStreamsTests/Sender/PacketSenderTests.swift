import AudioGraph
import Engine
import GraphTestSupport
import MediaStreams
import OpusCodec
import RTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PacketSenderTests {
  private struct Sent {
    var header: RTPHeader
    var payload: [UInt8]
    var time: Int
  }

  private func packets(of sender: PacketSender) throws -> [Sent] {
    var all: [Sent] = []
    while try sender.next({ bytes, time in
      let header = try RTPHeader(parsing: bytes)
      all.append(Sent(header: header, payload: Array(bytes[RTPHeader.byteCount...]), time: time))
    }) {}
    return all
  }

  private func run(_ sender: PacketSender, voice: [Float], _ body: (AudioPipeline) throws -> Void = { _ in }) throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([voice], uid: 0))
    try pipeline.startSending(through: sender)
    var failure: (any Error)?
    try pipeline.runToEnd {
      do { try body(pipeline) } catch { failure = error }
      return false
    }
    if let failure { throw failure }
  }

  @Test(
    "numbers and timestamps continue across wraps, the first has the marker",
    arguments: OpusOptions.PacketDuration.allCases)
  func numbering(duration: OpusOptions.PacketDuration) throws {
    let sender = try PacketSender(
      SenderOptions(
        codec: .null(duration), ssrc: 77, firstSequenceNumber: 32_767, firstTimestamp: .max - 2_000, sourceID: 9),
      capacity: 200)
    try run(sender, voice: seededNoise(count: 48_000, seed: 1))
    let all = try packets(of: sender)
    let step = 480 * duration.frameCount
    #expect(all.count >= 100 / duration.frameCount)
    for (index, packet) in all.enumerated() {
      #expect(packet.header.sequenceNumber == UInt16(truncatingIfNeeded: 32_767 + index))
      #expect(packet.header.timestamp == UInt32.max - 2_000 &+ UInt32(index * step))
      #expect(packet.header.marker == (index == 0))
      #expect(packet.header.ssrc == 77 && packet.header.payloadType == 111)
      let payload = packet.payload.withUnsafeBytes { NullPayload(parsing: $0) }
      #expect(payload == NullPayload(source: 9, sequence: UInt32(32_767 + index), sampleCount: UInt16(step)))
      #expect(packet.time == ((index + 1) * duration.frameCount - 1) * 10_000_000)
    }
    #expect(sender.packetCount == all.count && sender.droppedPacketCount == 0)
  }

  @Test("a muted voice announces a pause, and the marker ends it")
  func mute() throws {
    let sender = try PacketSender(SenderOptions(codec: .null(.milliseconds10)), capacity: 200)
    try run(sender, voice: seededNoise(count: 48_000, seed: 1)) { pipeline in
      if pipeline.tickCount == 20 { try pipeline.muteLocalAudioStream(true) }
      if pipeline.tickCount == 60 { try pipeline.muteLocalAudioStream(false) }
    }
    let all = try packets(of: sender)
    let marked = all.indices.filter { all[$0].header.marker }
    // Number 20 is the one in which it fades.
    #expect(marked == [0, 22])
    for (index, tick) in [(21, 21), (22, 60)] {
      let packet = all[index]
      #expect(packet.header.sequenceNumber == UInt16(index) && packet.header.timestamp == UInt32(tick * 480))
      #expect(packet.time == tick * 10_000_000)
      #expect(packet.payload.withUnsafeBytes { NullPayload(parsing: $0)?.announcesPause } == (tick == 21))
    }
  }

  @Test(
    "after a stall numbers continue and timestamps follow time",
    .shows("rtp send: a pipe that stalls")
  )
  func heldUp() throws {
    let sender = try PacketSender(SenderOptions(codec: .null(.milliseconds20)), capacity: 200)
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([seededNoise(count: 48_000, seed: 1)], uid: 0))
    try pipeline.startSending(through: sender)
    try pipeline.startStepping(isEndless: true)
    for index in 0..<100 {
      // 5.0005 s within a packet, a jitter of 9 ms between two.
      let late = (index >= 31 ? 5_000_500_000 : 0) + (index == 60 ? 9_000_000 : 0)
      pipeline.step(atNanoseconds: index * 10_000_000 + late)
    }
    pipeline.finishStepping()
    let all = try packets(of: sender)
    #expect(all.count == 50)
    for (index, packet) in all.enumerated() {
      // The packet that had begun is one sound.
      #expect(packet.header.timestamp == UInt32(index * 960 + (index >= 16 ? 240_024 : 0)))
      #expect(packet.header.sequenceNumber == index && packet.header.marker == (index == 0 || index == 16))
    }
  }

  @Test("duration and bitrate change between two packets")
  func settings() throws {
    let sender = try PacketSender(
      SenderOptions(codec: .opus(OpusOptions(bitrate: 64_000, packetDuration: .milliseconds10))), capacity: 200)
    let wanted = OpusOptions(bitrate: 24_000, packetDuration: .milliseconds20)
    try run(sender, voice: seededNoise(count: 96_000, seed: 1)) { pipeline in
      if pipeline.tickCount == 100 { try sender.set(wanted) }
    }
    let all = try packets(of: sender)
    let steps = zip(all, all.dropFirst()).map { $1.header.timestamp &- $0.header.timestamp }
    #expect(steps[..<99].allSatisfy { $0 == 480 })
    #expect(steps[101...].allSatisfy { $0 == 960 })
    func bitsPerSecond(_ packets: ArraySlice<Sent>, seconds: Double) -> Double {
      Double(packets.reduce(0) { $0 + $1.payload.count * 8 }) / seconds
    }
    #expect(abs(bitsPerSecond(all[..<100], seconds: 1) - 64_000) < 8_000)
    #expect(abs(bitsPerSecond(all[110..<140], seconds: 0.6) - 24_000) < 6_000)
    #expect(throws: EngineError.self) { try sender.set(OpusOptions(bitrate: 1)) }
    #expect(throws: EngineError.self) { try sender.set(OpusOptions(application: .voip)) }
  }

  @Test("DTX sends few packets in silence, and the voice after it has a marker")
  func discontinuous() throws {
    let sender = try PacketSender(
      SenderOptions(codec: .opus(OpusOptions(discontinuousTransmission: true, application: .voip))), capacity: 400)
    let burst = seededNoise(count: 48_000, seed: 1, amplitude: 0.3)
    try run(sender, voice: burst + [Float](repeating: 0, count: 96_000) + burst)
    let all = try packets(of: sender)
    // 4 s are 200 packets of 20 ms; of the 2 s of silence few are left.
    #expect(all.count < 140)
    #expect(sender.suppressedPacketCount > 60)
    let resumed = all.firstIndex { $0.header.timestamp >= 48_000 * 3 }!
    #expect(all[..<resumed].dropFirst().contains { $0.header.marker } || all[resumed].header.marker)
    for (index, packet) in all.enumerated() { #expect(packet.header.sequenceNumber == UInt16(index)) }
  }

  @Test("untaken packets count as dropped and use up their numbers")
  func full() throws {
    let sender = try PacketSender(SenderOptions(codec: .null(.milliseconds10)), capacity: 8)
    try run(sender, voice: seededNoise(count: 9_600, seed: 1)) { pipeline in
      if pipeline.tickCount == 15 { _ = sender.next { _, _ in } }
    }
    let all = try packets(of: sender)
    #expect(all.map(\.header.sequenceNumber) == [1, 2, 3, 4, 5, 6, 7, 15])
    #expect(sender.droppedPacketCount > 0)
  }

  @Test("invalid options and pipelines are refused as invalid arguments")
  func refusals() throws {
    func code(_ body: () throws -> Void) -> EngineError.Code? {
      #expect(throws: EngineError.self, performing: body)?.code
    }
    #expect(code { _ = try PacketSender(SenderOptions(channelCount: 3)) } == .invalidArgument)
    #expect(code { _ = try PacketSender(SenderOptions(payloadType: 128)) } == .invalidArgument)
    #expect(code { _ = try PacketSender(SenderOptions(firstSequenceNumber: 40_000)) } == .invalidArgument)
    let sender = try PacketSender()
    let slow = try AudioPipeline(sampleRate: 16_000, channelCount: 1)
    #expect(code { try slow.startSending(through: sender) } == .invalidArgument)
    let pipeline = try AudioPipeline(channelCount: 1)
    #expect(code { try pipeline.startSending(through: sender, speaker: 4) } == .invalidArgument)
    try pipeline.startSending(through: sender)
    #expect(code { try pipeline.startSending(through: sender) } == .invalidArgument)
    try pipeline.stopSending(through: sender)
    #expect(code { try pipeline.stopSending(through: sender) } == .invalidArgument)
  }
}
