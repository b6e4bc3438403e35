import AudioGraph
import MediaStreams
import OpusCodec
import RTP
import StreamTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct JitterBufferEndTests {
  private static let payloads = try! OpusStream.encode(
    TestVoice.samples, options: OpusOptions(bitrate: 32_000, complexity: 5, application: .voip))

  /// Renders `frameCount` frames of packets that come on time; the sender leaves before tick `leaveTick`.
  private func render(
    _ packets: [TimedPacket], frameCount: Int, leaveTick: Int? = nil,
    options: JitterBufferOptions = JitterBufferOptions()
  ) throws -> (reports: [JitterBufferSnapshot], peaks: [Float]) {
    var receiver = try JitterBuffer(options)
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    let frame = memory[0]
    var (next, reports, peaks) = (0, [JitterBufferSnapshot](), [Float]())
    for index in 0..<frameCount {
      let now = index * 10_000_000
      while next < packets.count, packets[next].arrival <= now {
        let arrival = packets[next].arrival
        packets[next].bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: arrival) }
        next += 1
      }
      if index == leaveTick { receiver.receiveBye() }
      receiver.render(into: frame, nowNanoseconds: now)
      reports.append(receiver.report)
      peaks.append(UnsafeBufferPointer(start: frame.channel(0), count: 480).map(\.magnitude).max() ?? 0)
      #expect(receiver.statistics.ledger.imbalance() == 0)
    }
    return (reports, peaks)
  }

  @Test(
    "a stream is played to its end after a BYE, without concealment",
    .shows("mute and goodbye"))
  func bye() throws {
    let count = 75
    let stream = try PacketStream(Array(Self.payloads[..<count]), packetMilliseconds: 20)
    let (reports, peaks) = try render(stream.packets, frameCount: 250, leaveTick: count * 2 - 1)
    let last = try #require(reports.last)
    #expect(last.statistics.concealedSamples == 0 && last.statistics.frozenSamples == 0)
    #expect(last.statistics.decodedSamples == count * 960)
    #expect(last.stage == .idle)
    let end = try #require(reports.firstIndex { $0.stage == .idle && $0.soundEnd > 0 })
    // The last packet came at 1480 ms and holds 20 ms.
    #expect(end >= 148 && end <= 155)
    #expect(abs(last.soundEnd - count * 960) <= 2_400)
    #expect(peaks[(end + 2)...].allSatisfy { $0 == 0 })
  }

  @Test("without a BYE the end of the sound is still known")
  func silence() throws {
    let stream = try PacketStream(Array(Self.payloads[..<75]), packetMilliseconds: 20)
    let (reports, _) = try render(stream.packets, frameCount: 400)
    let last = try #require(reports.last)
    #expect(last.stage == .frozen && last.statistics.concealedSamples > 48_000)
    #expect(abs(last.soundEnd - 75 * 960) <= 2_400)
  }

  @Test("a sender that returns after a BYE begins a new stream")
  func comesBack() throws {
    var packets = try PacketStream(Array(Self.payloads[..<50]), packetMilliseconds: 20).packets
    packets += try PacketStream(
      Array(Self.payloads[50..<100]), packetMilliseconds: 20, startMilliseconds: 1_500, firstSequenceNumber: 900,
      firstTimestamp: 5_000_000
    ).packets
    let (reports, peaks) = try render(packets, frameCount: 260, leaveTick: 99)
    let last = try #require(reports.last)
    #expect(last.statistics.streamsBegun == 2)
    #expect(reports[120].stage == .idle && reports[200].stage == .playing)
    #expect(peaks[160..<250].max()! > 0.01)
  }

  @Test(
    "an unannounced pause is concealed at first, but does not count as loss",
    .shows("mute and goodbye"))
  func pause() throws {
    var packets = try PacketStream(Array(Self.payloads[..<50]), packetMilliseconds: 20).packets
    packets += try PacketStream(
      Array(Self.payloads[50..<100]), packetMilliseconds: 20, startMilliseconds: 2_000, firstSequenceNumber: 50,
      firstTimestamp: 96_000
    ).packets
    let (reports, _) = try render(packets, frameCount: 280)
    let before = reports[190].statistics
    #expect(before.frozenSamples > 30_000)
    let last = try #require(reports.last)
    #expect(last.statistics.frozenSamples <= 480 * 2 && last.statistics.packetsLost == 0)
    // 200 ms of fading concealment are heard, and stay counted.
    #expect(last.statistics.concealedSamples <= 12_000 + 3 * 9_600)
  }

  @Test("the newest level is reported, retransmissions leave the delay alone", .shows("audio level"))
  func levelAndOrigin() throws {
    var receiver = try JitterBuffer(JitterBufferOptions(codec: .null, audioLevelIdentifier: 3))
    var bytes = [UInt8](repeating: 0, count: 64)
    func packet(_ number: Int, level: UInt8) throws -> [UInt8] {
      try bytes.withUnsafeMutableBytes { memory in
        var writer = try RTPPacketWriter(
          RTPHeader(
            marker: false, payloadType: 111, sequenceNumber: UInt16(number), timestamp: UInt32(number * 960), ssrc: 9),
          into: memory)
        try writer.append(AudioLevel(decibelsBelowOverload: level, hasVoice: false), identifier: 3)
        let offset = try writer.endHeader()
        let payload = TimedPacket.null(number, samples: 960)
        UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyBytes(from: payload)
        return Array(memory[..<(offset + payload.count)])
      }
    }
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    var targets: [Int] = []
    for index in 0..<1_000 {
      let now = index * 10_000_000
      if index % 2 == 0, index % 20 != 10 {
        try packet(index / 2, level: UInt8(index / 20)).withUnsafeBytes {
          receiver.insert($0, arrivalNanoseconds: now)
        }
      }
      // Every tenth packet comes 150 ms late, because it was asked for.
      if index >= 25, (index - 15) % 20 == 10 {
        try packet((index - 15) / 2, level: UInt8(index / 20)).withUnsafeBytes {
          receiver.insert($0, arrivalNanoseconds: now, origin: .retransmitted)
        }
      }
      receiver.render(into: memory[0], nowNanoseconds: now)
      targets.append(receiver.report.targetDelayNanoseconds)
    }
    #expect(receiver.report.audioLevel?.decibelsBelowOverload == 49)
    #expect(receiver.statistics.retransmittedPacketsReceived == 49)
    #expect(receiver.statistics.packetsDiscarded == 49 && receiver.statistics.packetsDuplicated == 0)
    #expect(targets[100...].allSatisfy { $0 <= 30_000_000 })
  }
}
