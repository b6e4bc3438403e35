import AudioGraph
import Foundation
import StreamTestSupport
import TestSupport
import Testing

@testable import DSP
@testable import MediaStreams

/// Streams of plain samples at any clock. Oracles are sines in closed form.
@Suite(.timeLimit(.minutes(10))) struct JitterBufferLinearTests {
  /// A stream of a sine, in packets of 20 ms or so.
  struct Case: CustomTestStringConvertible, Sendable {
    let codec: ReceiverCodec
    let hertz: Double
    /// Samples per channel of a packet.
    let length: Int
    /// Least ratio of the sine to all else, in dB.
    let ratio: Double

    var testDescription: String { "\(codec) \(hertz) Hz" }
  }

  private static let amplitude = 0.5

  private func payload(_ codec: ReceiverCodec, _ hertz: Double, from start: Int, _ count: Int) -> [UInt8] {
    (start..<start + count).flatMap { index -> [UInt8] in
      let value = Self.amplitude * sin(2 * .pi * hertz * Double(index) / Double(codec.clockRate))
      let sample = Int16((value * 32_768).rounded())
      switch codec {
      case .pcmu: return [Companding.muLaw.byte(of: sample)]
      case .pcma: return [Companding.aLaw.byte(of: sample)]
      case .linear16(_, let channels):
        let bytes = [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
        return channels == 2 ? bytes + bytes : bytes
      case .opus, .null: return []
      }
    }
  }

  private func packets(
    _ codec: ReceiverCodec, _ hertz: Double, length: Int, count: Int, firstTimestamp: UInt32 = 0,
    without lost: Set<Int> = []
  ) throws -> [TimedPacket] {
    try (0..<count).filter { !lost.contains($0) }.map { number in
      try TimedPacket(
        arrival: number * length * 1_000_000_000 / codec.clockRate,
        payload: payload(codec, hertz, from: number * length, length), sequenceNumber: UInt16(number),
        timestamp: firstTimestamp &+ UInt32(number * length))
    }
  }

  /// Returns amplitude, delay in samples after a whole number of periods, and the ratio to all else, in dB, of a sine.
  private func fit(_ samples: ArraySlice<Float>, _ hertz: Double) -> (amplitude: Double, phase: Double, ratio: Double) {
    var (sine, cosine, all) = (0.0, 0.0, 0.0)
    for index in samples.indices {
      let angle = 2 * Double.pi * hertz * Double(index) / 48_000
      sine += Double(samples[index]) * sin(angle)
      cosine += Double(samples[index]) * cos(angle)
      all += Double(samples[index]) * Double(samples[index])
    }
    let count = Double(samples.count)
    let amplitude = 2 * (sine * sine + cosine * cosine).squareRoot() / count
    let power = amplitude * amplitude / 2 * count
    return (amplitude, atan2(-cosine, sine), 10 * log10(power / max(1e-12, all - power)))
  }

  @Test(
    "a tone comes out at its level, 32 samples of its clock late", .shows("rtp: codecs"),
    arguments: [
      // A codec pair of ITU-T G.712 has 33 dB.
      Case(codec: .pcmu, hertz: 1_020, length: 160, ratio: 33),
      Case(codec: .pcma, hertz: 3_300, length: 240, ratio: 33),
      Case(codec: .linear16(sampleRate: 8_000), hertz: 1_000, length: 80, ratio: 72),
      Case(codec: .linear16(sampleRate: 11_025), hertz: 1_000, length: 223, ratio: 72),
      Case(codec: .linear16(sampleRate: 16_000, channelCount: 2), hertz: 1_000, length: 160, ratio: 72),
      Case(codec: .linear16(sampleRate: 22_050), hertz: 5_000, length: 347, ratio: 72),
      Case(codec: .linear16(sampleRate: 24_000), hertz: 1_000, length: 7, ratio: 72),
      Case(codec: .linear16(sampleRate: 32_000), hertz: 3_000, length: 320, ratio: 72),
      Case(codec: .linear16(sampleRate: 44_100, channelCount: 2), hertz: 1_000, length: 347, ratio: 72),
      Case(codec: .linear16(sampleRate: 48_000, channelCount: 2), hertz: 1_000, length: 240, ratio: 72),
    ], [1, 2])
  func tone(_ stream: Case, channelCount: Int) throws {
    let rate = stream.codec.clockRate
    var decoder = LinearDecoder(stream.codec, channelCount: channelCount)
    let clock = StreamClock(rate: rate)
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: 5_760 * channelCount)
    // An odd beginning: timestamps need not be whole samples of 48 kHz.
    let first = 1_000_003
    for start in stride(from: 0, to: rate, by: stream.length) {
      let count = clock.sampleCount(from: first + start, units: stream.length)
      let bytes = payload(stream.codec, stream.hertz, from: start, stream.length)
      bytes.withUnsafeBytes {
        decoder.decode(
          $0, isALaw: stream.codec == .pcma, timestamp: clock.samples(first + start), count: count, into: &buffer)
      }
      samples += buffer[..<(count * channelCount)]
    }
    #expect(abs(samples.count / channelCount - 48_000) < 48_000 * stream.length / rate + 2)
    for channel in 0..<channelCount {
      let plane = (0..<48_000).map { samples[$0 * channelCount + channel] }
      let heard = fit(plane[4_800..<43_200], stream.hertz)
      #expect(abs(20 * log10(heard.amplitude / Self.amplitude)) < 0.15)
      #expect(heard.ratio > stream.ratio)
      let isCopy = rate == 48_000
      // The first output is the last sample of 48 kHz before the first of the stream.
      let before = Double(clock.samples(first)) - Double(first) * 48_000 / Double(rate)
      let late = (isCopy ? 0 : 32.0 * 48_000 / Double(rate)) - before
      let turns = (heard.phase / (2 * .pi) - late * stream.hertz / 48_000)
      #expect(abs(turns - turns.rounded()) < 0.002, "\(turns) periods off")
    }
  }

  @Test(
    "a stream is neither concealed nor stretched", .shows("rtp: codecs"),
    arguments: [
      Case(codec: .pcmu, hertz: 1_020, length: 160, ratio: 33), Case(codec: .pcma, hertz: 440, length: 80, ratio: 33),
      Case(codec: .linear16(sampleRate: 44_100), hertz: 1_000, length: 441, ratio: 72),
      Case(codec: .linear16(sampleRate: 11_025), hertz: 1_000, length: 441, ratio: 72),
    ])
  func stream(_ stream: Case) throws {
    let rate = stream.codec.clockRate
    // Timestamps wrap in the middle.
    let packets = try packets(
      stream.codec, stream.hertz, length: stream.length, count: 3 * rate / stream.length,
      firstTimestamp: 0 &- UInt32(rate))
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: stream.codec, payloadType: 111), packets: packets, frameCount: 290)
    let last = try #require(bench.statistics.last)
    #expect(last.concealedSamples == 0 && last.packetsOverlapping == 0 && last.packetsMalformed == 0)
    #expect(last.streamsBegun == 1)
    #expect(bench.imbalances.isEmpty)
    let heard = fit(bench.channels[0][24_000..<134_400], stream.hertz)
    #expect(heard.ratio > stream.ratio)
  }

  @Test(
    "a stream that changes between PCMU and PCMA plays on", .shows("rtp: codecs"), arguments: [nil, 0, 8] as [UInt8?])
  func companding(payloadType: UInt8?) throws {
    // Each second another law, as behind a re-INVITE.
    let packets = try (0..<200).map { number in
      let isALaw = number / 50 % 2 == 1
      return try TimedPacket(
        arrival: number * 20_000_000, payload: payload(isALaw ? .pcma : .pcmu, 1_020, from: number * 160, 160),
        sequenceNumber: UInt16(number), timestamp: UInt32(number * 160), payloadType: isALaw ? 8 : 0)
    }
    let options = JitterBufferOptions(codec: payloadType == 8 ? .pcma : .pcmu, payloadType: payloadType)
    let bench = try ReceiverBench(options, packets: packets, frameCount: 390)
    let last = try #require(bench.statistics.last)
    #expect(last.concealedSamples == 0 && last.streamsBegun == 1 && bench.imbalances.isEmpty)
    #expect(fit(bench.channels[0][24_000..<168_000], 1_020).ratio > 33)
  }

  @Test("a dynamic type of G.711 takes no packets of the static ones", .shows("rtp: codecs"))
  func dynamicType() throws {
    let packets = try (0..<100).map { number in
      try TimedPacket(
        arrival: number * 20_000_000, payload: payload(.pcma, 1_020, from: number * 160, 160),
        sequenceNumber: UInt16(number), timestamp: UInt32(number * 160), payloadType: number < 50 ? 97 : 0)
    }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .pcma, payloadType: 97), packets: packets, frameCount: 190)
    #expect(fit(bench.channels[0][9_600..<43_200], 1_020).ratio > 33)
    #expect(bench.channels[0][60_000..<90_000].allSatisfy { abs($0) < 0.001 })
  }

  @Test("ffmpeg's bursts of L16 packets of odd lengths are played whole", .shows("rtp: codecs"))
  func oddBursts() throws {
    let codec = ReceiverCodec.linear16(sampleRate: 44_100)
    // 1024 samples at a time, as two packets: 1460 bytes, and the rest.
    let packets = try (0..<600).map { number in
      let (burst, isFirst) = (number / 2, number % 2 == 0)
      let start = burst * 1_024 + (isFirst ? 0 : 730)
      return try TimedPacket(
        arrival: (burst + 1) * 1_024 * 1_000_000_000 / 44_100,
        payload: payload(codec, 1_000, from: start, isFirst ? 730 : 294), sequenceNumber: UInt16(number),
        timestamp: UInt32(start))
    }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: codec, payloadType: 111), packets: packets, frameCount: 690)
    let last = try #require(bench.statistics.last)
    // The delay of such bursts is learned from the first of them.
    #expect(last.concealedSamples <= 2_400 && last.packetsOverlapping == 0, "\(last.concealedSamples)")
    #expect(bench.imbalances.isEmpty)
    let sound = bench.channels[0][96_000..<312_000]
    let steepest = zip(sound, sound.dropFirst()).map { abs(Double($1 - $0)) }.max()!
    // The steepest place of the sine, played up to 500 ppm faster.
    #expect(steepest < 1.002 * Self.amplitude * 2 * .pi * 1_000 / 48_000, "a step of \(steepest)")
    #expect(sound.map { abs($0) }.max()! > 0.49)
  }

  @Test("a frame has the timestamp of its packet, in the stream's own clock")
  func timestamps() throws {
    for codec in [ReceiverCodec.pcmu, .linear16(sampleRate: 44_100)] {
      let length = codec.clockRate / 100
      let packets = try packets(codec, 440, length: length, count: 50, firstTimestamp: 4_294_967_000)
      let bench = try ReceiverBench(
        JitterBufferOptions(codec: codec, payloadType: 111), packets: packets, frameCount: 60)
      let heard = Set(bench.headers.compactMap(\.rtpTimestamp))
      #expect(heard.isSubset(of: Set((0..<50).map { UInt32(4_294_967_000) &+ UInt32($0 * length) })))
      #expect(heard.count >= 49)
    }
  }

  @Test(
    "lost packets are concealed without a step", .shows("rtp: codecs"),
    arguments: [ReceiverCodec.pcmu, .linear16(sampleRate: 44_100)])
  func loss(codec: ReceiverCodec) throws {
    let hertz = 210.0
    let packets = try packets(
      codec, hertz, length: codec.clockRate / 100, count: 200, without: [40, 80, 81, 120, 121, 122])
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: codec, payloadType: 111), packets: packets, frameCount: 190)
    #expect(bench.statistics.last?.packetsLost == 6)
    #expect(try #require(bench.statistics.last).concealedSamples >= 6 * 480 - 240)
    #expect(bench.imbalances.isEmpty)
    let sound = bench.channels[0]
    // The steepest place of the sine, and half of it again for blends and G.711's noise.
    let slope = Self.amplitude * 2 * .pi * hertz / 48_000
    let steepest = (9_600..<90_000).map { abs(Double(sound[$0] - sound[$0 - 1])) }.max()!
    #expect(steepest < 1.5 * slope + 0.008, "a step of \(steepest), slope \(slope)")
  }

  @Test("key presses and comfort noise are neither lost nor decoded")
  func soundless() throws {
    var packets = try packets(.pcmu, 440, length: 160, count: 100)
    for number in [30, 31, 32] { packets[number].bytes[1] = number == 31 ? 13 : 101 }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .pcmu, payloadType: 111), packets: packets, frameCount: 210)
    let last = try #require(bench.statistics.last)
    #expect(last.packetsLost == 0 && last.packetsMalformed == 0)
    #expect(last.packetsReceived == 97)
    #expect(bench.channels[0].allSatisfy { $0.magnitude < 0.6 })
  }

  @Test("without a payload type, G.711 has its static ones")
  func staticType() throws {
    var packets = try packets(.pcma, 440, length: 160, count: 50)
    for index in packets.indices { packets[index].bytes[1] = index % 2 == 0 ? 8 : 97 }
    let bench = try ReceiverBench(JitterBufferOptions(codec: .pcma), packets: packets, frameCount: 110)
    #expect(bench.statistics.last?.packetsReceived == 25)
  }

  @Test("timestamps of days scale without drift")
  func clock() {
    let clock = StreamClock(rate: 44_100)
    for seconds in [0, 1, 86_400, 10 * 86_400] {
      #expect(clock.samples(seconds * 44_100) == seconds * 48_000)
      for unit in 0..<500 {
        let timestamp = seconds * 44_100 + unit
        #expect(clock.timestamp(clock.samples(timestamp)) == UInt32(truncatingIfNeeded: timestamp))
      }
    }
    #expect(clock.nearest(clock.samples(1 << 32) - 5).magnitude <= 6)
    #expect(StreamClock(rate: 48_000).nearest((1 << 32) - 5) == -5)
  }
}
