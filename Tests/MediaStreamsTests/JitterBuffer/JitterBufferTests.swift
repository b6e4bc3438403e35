import AudioGraph
import MediaStreams
import OpusCodec
import StreamTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct JitterBufferTests {
  private let voice = TestVoice.samples

  /// Samples between the first packet's arrival at a tick and its first sample: a frame, a margin and what looks ahead.
  private static let lead = 480 + 40

  private func expectSame(_ output: [Float], _ expected: [Float], lead: Int) {
    #expect(output[..<lead].allSatisfy { $0 == 0 })
    let differing = zip(output[lead...], expected).filter { $0.bitPattern != $1.bitPattern }.count
    #expect(differing == 0)
  }

  @Test(
    "without impairment samples equal libopus's, within a packet and 10 ms",
    .shows("receive: identity"),
    arguments: OpusOptions.PacketDuration.allCases, [1, 2])
  func transparent(duration: OpusOptions.PacketDuration, channels: Int) throws {
    let options = OpusOptions(packetDuration: duration)
    let interleaved = channels == 1 ? voice : voice.flatMap { [$0, $0 * 0.5] }
    let payloads = try OpusStream.encode(interleaved, channelCount: channels, options: options)
    let stream = try PacketStream(payloads, packetMilliseconds: duration.rawValue)
    let bench = try ReceiverBench(JitterBufferOptions(channelCount: channels), packets: stream.packets, frameCount: 290)
    let expected = try OpusStream.decode(payloads, channelCount: channels)
    for channel in 0..<channels {
      expectSame(
        bench.channels[channel], stride(from: channel, to: expected.count, by: channels).map { expected[$0] },
        lead: Self.lead)
    }
    let last = try #require(bench.statistics.last)
    #expect(last.concealedSamples == 0 && last.packetsLost == 0)
    #expect(bench.imbalances.isEmpty)
    #expect(bench.delay(0..<290) <= Double(duration.rawValue + 10))
  }

  @Test("packets of 40 and 60 ms are decoded like the frames in them", .shows("receive: identity"), arguments: [2, 3])
  func longPackets(count: Int) throws {
    let payloads = try OpusStream.encode(voice, options: OpusOptions(bitrate: 64_000, application: .lowDelay))
    let joined = OpusStream.join(payloads, count) ?? []
    #expect(joined.count == payloads.count / count)
    let stream = try PacketStream(joined, packetMilliseconds: 20 * count)
    let bench = try ReceiverBench(JitterBufferOptions(), packets: stream.packets, frameCount: 280)
    expectSame(bench.channels[0], try OpusStream.decode(payloads), lead: Self.lead)
    #expect(bench.statistics.last?.concealedSamples == 0)
  }

  @Test("a sender may change from 20 ms packets to 10 ms ones and to 60 ms ones", .shows("receive: identity"))
  func changingPackets() throws {
    var packets: [TimedPacket] = []
    var timestamp = 0
    for (number, milliseconds) in ([20, 20, 20, 10, 10, 10, 60, 60, 10, 20, 40] as [Int]).enumerated() {
      packets.append(
        try TimedPacket(
          arrival: (timestamp + milliseconds * 48) / 48 * 1_000_000 - 20_000_000,
          payload: TimedPacket.null(number, samples: milliseconds * 48), sequenceNumber: UInt16(number),
          timestamp: UInt32(timestamp)))
      timestamp += milliseconds * 48
    }
    let bench = try ReceiverBench(JitterBufferOptions(codec: .null), packets: packets, frameCount: 36)
    let last = try #require(bench.statistics.last)
    #expect(last.decodedSamples == timestamp)
    #expect(last.packetsLost == 0 && last.payloadMismatches == 0)
    #expect(bench.imbalances.isEmpty)
  }

  @Test("frames name the timestamp and source of their packet")
  func headers() throws {
    let payloads = try OpusStream.encode(voice, options: OpusOptions())
    let stream = try PacketStream(payloads, packetMilliseconds: 20, firstTimestamp: 5_000)
    let bench = try ReceiverBench(JitterBufferOptions(sourceID: 42), packets: stream.packets, frameCount: 8)
    #expect(bench.headers.map(\.provenance) == [.silence] + Array(repeating: .decoded, count: 7))
    #expect(bench.headers.map(\.rtpTimestamp) == [nil, 5_000, 5_000, 5_960, 5_960, 6_920, 6_920, 7_880])
    #expect(bench.headers.map(\.isSilent) == [true] + Array(repeating: false, count: 7))
    #expect(bench.headers.allSatisfy { $0.sourceID == 42 })
    #expect(bench.headers.map(\.samplePosition) == (0..<8).map { $0 * 480 })
  }

  @Test("samples of 16 bits come out as they went in")
  func linear() throws {
    let samples = (0..<48_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    let payloads = stride(from: 0, to: samples.count, by: 480).map { start in
      samples[start..<(start + 480)].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
    let stream = try PacketStream(payloads, packetMilliseconds: 10)
    let bench = try ReceiverBench(JitterBufferOptions(codec: .linear16()), packets: stream.packets, frameCount: 100)
    expectSame(bench.channels[0], samples.map { Float($0) / 32_768 }, lead: Self.lead)
  }

  @Test(
    "an unheard stream passes as silence and resumes without concealment",
    .shows("receive: unheard"))
  func unheard() throws {
    var receiver = try JitterBuffer(JitterBufferOptions())
    let payloads = try OpusStream.encode(voice, options: OpusOptions())
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    let frame = memory[0]
    receiver.isDecoding = false
    let stream = try PacketStream(payloads, packetMilliseconds: 20)
    var loudness = [Float](repeating: 0, count: 2)
    for index in 0..<200 {
      if index % 2 == 0 {
        let packet = stream.packets[index / 2]
        packet.bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: packet.arrival) }
      }
      if index == 100 { receiver.isDecoding = true }
      receiver.render(into: frame, nowNanoseconds: index * 10_000_000)
      for sample in 0..<480 { loudness[index / 100] += frame.channel(0)[sample].magnitude }
    }
    #expect(loudness[0] == 0)
    #expect(loudness[1] > 100)
    #expect(receiver.statistics.concealedSamples == 0)
    #expect(receiver.statistics.ledger.imbalance() == 0)
  }

  @Test("options out of range are refused with the value in the sentence")
  func refuses() {
    for (options, text) in [
      (JitterBufferOptions(channelCount: 3), "3"), (JitterBufferOptions(payloadType: 128), "128"),
    ] {
      do throws(EngineError) {
        _ = try JitterBuffer(options)
        Issue.record("\(options) were accepted")
      } catch {
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(text))
      }
    }
  }
}
