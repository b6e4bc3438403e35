import AudioGraph
import MediaStreams
import OpusCodec
import StreamTestSupport
import TestSupport
import Testing

// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferLossTests {
  private static let seconds = 4
  private static let options = OpusOptions(
    bitrate: 32_000, complexity: 5, forwardErrorCorrection: true, expectedLossPercent: 20, application: .voip)
  static let payloads = try! OpusStream.encode(TestVoice.samples, options: options)

  /// Whether rebuilding a packet from the next one gives something else than making it up: then the next one has a
  /// copy.
  static func hasCopy(_ index: Int) throws -> Bool {
    guard index + 1 < payloads.count else { return false }
    var results: [[Float]] = []
    for recovers in [true, false] {
      var decoder = try OpusDecoder(channelCount: 1)
      var samples = [Float](repeating: 0, count: 5_760)
      for packet in payloads[max(0, index - 10)..<index] {
        try packet.withUnsafeBytes { _ = try decoder.decode($0, into: &samples, capacity: 5_760) }
      }
      if recovers {
        try payloads[index + 1].withUnsafeBytes { _ = try decoder.recover(before: $0, into: &samples, count: 960) }
      } else {
        _ = try decoder.conceal(into: &samples, count: 960)
      }
      results.append(Array(samples[..<960]))
    }
    return results[0] != results[1]
  }

  @Test(
    "the count of packets with FEC agrees with libopus's decoding",
    .shows("receive: loss"))
  func copies() throws {
    let stream = try PacketStream(Self.payloads, packetMilliseconds: 20)
    let bench = try ReceiverBench(
      JitterBufferOptions(), packets: stream.packets, frameCount: 100 * Self.seconds + 4, keepsSamples: false)
    let copies = try (0..<(Self.payloads.count - 1)).filter { try Self.hasCopy($0) }.count
    #expect(copies > Self.payloads.count / 2)
    // The first packet has nothing to copy, whatever its flag says.
    #expect(abs((bench.statistics.last?.fecPacketsReceived ?? 0) - copies) <= 1)
  }

  @Test(
    "a lost packet is recovered if the next one has FEC, else concealed",
    .shows("receive: loss"), arguments: [1, 2])
  func recovers(seed: UInt64) throws {
    let stream = try PacketStream(Self.payloads, packetMilliseconds: 20, seed: seed, loss: 0.1)
    let arrived = Set(stream.packets.map { Int($0.bytes[2]) << 8 | Int($0.bytes[3]) })
    let lost = Self.payloads.indices.filter { !arrived.contains($0) }
    let recoverable = try lost.filter { arrived.contains($0 + 1) && $0 > 0 }.filter { try Self.hasCopy($0) }
    let bench = try ReceiverBench(
      JitterBufferOptions(), packets: stream.packets, frameCount: 100 * Self.seconds + 2, keepsSamples: false)
    let last = try #require(bench.statistics.last)
    // What is lost at the very end nobody can know of.
    #expect(last.packetsLost == lost.filter { $0 < arrived.max()! }.count)
    // The first losses come before the delay has grown by the packet that has to be waited for.
    #expect(last.fecPacketsUsed <= recoverable.count)
    #expect(last.fecPacketsUsed >= recoverable.count - 3, "\(recoverable.count)")
    let unrecoverable = lost.count - recoverable.count
    #expect(last.concealedSamples <= (unrecoverable + 3) * 960 + 480 * Self.seconds)
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "over 50±20 ms with 10 % loss the delay is at most 60 ms",
    .shows("receive: delay"))
  func delayAndLoss() throws {
    let repeats = LongRun.isWanted ? 18 : 6
    let payloads = Array(repeatElement(Self.payloads, count: repeats).joined())
    let stream = try PacketStream(payloads, packetMilliseconds: 20, seed: 5, loss: 0.1) {
      Double.random(in: 30..<70, using: &$0)
    }
    let arrived = Set(stream.packets.map { Int($0.bytes[2]) << 8 | Int($0.bytes[3]) })
    let unrecoverable = try payloads.indices.filter { index in
      guard !arrived.contains(index) else { return false }
      return try !arrived.contains(index + 1) || !Self.hasCopy(index % Self.payloads.count)
    }
    let end = payloads.count * 2 - 10
    let bench = try ReceiverBench(JitterBufferOptions(), packets: stream.packets, frameCount: end, keepsSamples: false)
    #expect(bench.delay(1_000..<end) <= 60)
    let share = Double(unrecoverable.filter { $0 >= 500 }.count) / Double(payloads.count - 500)
    #expect(bench.concealed(1_000..<end) <= share + 0.01)
  }

  @Test(
    "concealed sound fades out within 200 ms, and the next packet fades in",
    .shows("receive: loss"))
  func fades() throws {
    let stream = try PacketStream(Self.payloads, packetMilliseconds: 20)
    // 400 ms are lost in the middle of a syllable.
    let packets = stream.packets.enumerated().filter { !(68..<88).contains($0.offset) }.map(\.element)
    let bench = try ReceiverBench(JitterBufferOptions(), packets: packets, frameCount: 200)
    let concealed = bench.headers.indices.filter { bench.headers[$0].provenance == .concealed }
    let first = try #require(concealed.first)
    #expect(concealed == Array(first..<(first + 40)))
    let peaks = (0..<200).map { frame in
      bench.channels[0][(frame * 480)..<((frame + 1) * 480)].map(\.magnitude).max() ?? 0
    }
    #expect(peaks[first] > 0.01)
    #expect(peaks[first..<(first + 10)].max()! > peaks[(first + 15)..<(first + 20)].max()!)
    #expect(peaks[(first + 21)..<(first + 39)].allSatisfy { $0 == 0 })
    #expect(peaks[(first + 41)..<(first + 50)].max()! > 0.01)
    let last = try #require(bench.statistics.last)
    #expect(last.concealmentEvents == 1)
    #expect(abs(last.frozenSamples - 20 * 480) <= 480)
    #expect(bench.stages[first + 25] == .frozen)
    #expect(bench.stages[first + 45] == .playing)
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "a pause with DTX is filled with background noise, not concealed",
    .shows("receive: DTX"))
  func discontinued() throws {
    // A packet of one byte, then nothing for a second while the numbers go on as RFC 7587 says: time passes, packets do
    // not.
    var packets: [TimedPacket] = []
    for number in 0..<100 {
      let isLater = number >= 50
      let payload = number == 49 ? [Self.payloads[49][0] & 0xFC] : Self.payloads[number]
      let milliseconds = number * 20 + (isLater ? 1_000 : 0)
      packets.append(
        try TimedPacket(
          arrival: milliseconds * 1_000_000, payload: payload, sequenceNumber: UInt16(number),
          timestamp: UInt32(milliseconds * 48), marker: number == 50))
    }
    let bench = try ReceiverBench(JitterBufferOptions(), packets: packets, frameCount: 290)
    let last = try #require(bench.statistics.last)
    #expect(last.concealedSamples == 0)
    #expect(abs(last.comfortNoiseSamples - 48_000) <= 960)
    #expect(bench.stages[150] == .pausing)
    #expect(bench.stages[250] == .playing)
    #expect(last.packetsLost == 0)
    #expect(bench.imbalances.isEmpty)
  }
}
