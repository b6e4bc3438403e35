import AudioGraph
import DSP
import Engine
import Foundation
import GraphTestSupport
import MediaStreams
import OpusCodec
import RTP
import TestSupport
import Testing

/// Senders of plain samples. The oracles are RFC 3551 and sines in closed form.
@Suite(.timeLimit(.minutes(10))) struct LinearSenderTests {
  private struct Sent {
    var header: RTPHeader
    var payload: [UInt8]
    var time: Int
  }

  /// The packets of a voice, which is muted from 500 ms to 1500 ms if that is wanted.
  private func packets(_ options: SenderOptions, _ planes: [[Float]], mutes: Bool = false) throws -> [Sent] {
    let pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: 48_000, channelCount: planes.count))
    let source = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: planes.count), sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    let sender = try PacketSender(options, capacity: 2_000)
    try pipeline.startSending(through: sender)
    try pipeline.startStepping(isEndless: true)
    for tick in 0..<(planes[0].count / 480) {
      if mutes, tick == 50 { try pipeline.muteLocalAudioStream(true) }
      if mutes, tick == 150 { try pipeline.muteLocalAudioStream(false) }
      let frame = (tick * 480..<(tick + 1) * 480).flatMap { index in planes.map { $0[index] } }
      _ = frame.withUnsafeBufferPointer { source.push($0.span) }
      pipeline.step(atNanoseconds: tick * 10_000_000)
    }
    pipeline.finishStepping()
    var sent: [Sent] = []
    while try sender.next({ bytes, time in
      let view = try RTPPacketView(parsing: bytes)
      sent.append(Sent(header: view.header, payload: Array(bytes[view.payloadRange]), time: time))
    }) {}
    #expect(sender.failureCount == 0 && sender.droppedPacketCount == 0)
    return sent
  }

  private func sine(_ hertz: Double, count: Int = 96_000, amplitude: Double = 0.5) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / 48_000)) }
  }

  /// Returns amplitude, and ratio to all else in dB, of a sine.
  private func fit(_ samples: ArraySlice<Double>, _ hertz: Double, rate: Int) -> (amplitude: Double, ratio: Double) {
    var (sine, cosine, all) = (0.0, 0.0, 0.0)
    for index in samples.indices {
      let angle = 2 * Double.pi * hertz * Double(index) / Double(rate)
      sine += samples[index] * sin(angle)
      cosine += samples[index] * cos(angle)
      all += samples[index] * samples[index]
    }
    let amplitude = 2 * (sine * sine + cosine * cosine).squareRoot() / Double(samples.count)
    let power = amplitude * amplitude / 2 * Double(samples.count)
    return (amplitude, 10 * log10(power / max(1e-12, all - power)))
  }

  @Test(
    "G.711 has 8 kHz, its static type and 20 ms", .shows("rtp: codecs"), arguments: [Companding.muLaw, .aLaw], [1, 2])
  func companded(law: Companding, channelCount: Int) throws {
    let codec = law == .muLaw ? SenderCodec.pcmu() : .pcma()
    let voice = sine(1_020)
    // One channel is sent: the mean of both.
    let planes = channelCount == 1 ? [voice] : [voice.map { 2 * $0 }, [Float](repeating: 0, count: voice.count)]
    let sent = try packets(
      SenderOptions(codec: codec, channelCount: channelCount, firstTimestamp: .max - 1_000), planes)
    #expect(sent.count == 100)
    for (index, packet) in sent.enumerated() {
      #expect(packet.header.payloadType == (law == .muLaw ? 0 : 8) && packet.payload.count == 160)
      #expect(packet.header.timestamp == UInt32.max - 1_000 &+ UInt32(160 * index))
      #expect(packet.header.marker == (index == 0))
    }
    let samples = sent.flatMap(\.payload).map { Double(law.sample(of: $0)) / 32_768 }
    let heard = fit(samples[800..<15_200], 1_020, rate: 8_000)
    #expect(abs(20 * log10(heard.amplitude / 0.5)) < 0.15 && heard.ratio > 33)
  }

  @Test(
    "L16 is cut into payloads of at most 1400 bytes", .shows("rtp: codecs"), arguments: RTPPayloadFormat.linearRates,
    [1, 2])
  func linear(rate: Int, channelCount: Int) throws {
    let voice = sine(1_000)
    let planes = channelCount == 1 ? [voice] : [voice, voice.map { $0 / 2 }]
    let codec = SenderCodec.linear16(sampleRate: rate, .milliseconds20)
    let sent = try packets(SenderOptions(codec: codec, channelCount: channelCount), planes)
    var timestamp: UInt32 = 0
    for packet in sent {
      #expect(packet.payload.count <= 1_400 && packet.payload.count % (2 * channelCount) == 0)
      #expect(packet.header.timestamp == timestamp)
      timestamp += UInt32(packet.payload.count / (2 * channelCount))
    }
    #expect(timestamp == 2 * rate && sent.filter(\.header.marker).count == 1)
    let type: UInt8 = rate == 44_100 ? (channelCount == 2 ? 10 : 11) : 111
    #expect(sent.allSatisfy { $0.header.payloadType == type })
    let bytes = sent.flatMap(\.payload)
    for channel in 0..<channelCount {
      let samples = stride(from: 2 * channel, to: bytes.count, by: 2 * channelCount).map { place in
        Double(Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))) / 32_768
      }
      let heard = fit(samples[(rate / 10)..<(19 * rate / 10)], 1_000, rate: rate)
      #expect(abs(heard.amplitude - (channel == 0 ? 0.5 : 0.25)) < 0.001 && heard.ratio > 80)
    }
  }

  @Test(
    "a mute of L16 sends nothing, and timestamps continue with time", .shows("rtp: codecs"),
    arguments: [SenderCodec.linear16(sampleRate: 8_000), .linear16(sampleRate: 11_025)])
  func mute(codec: SenderCodec) throws {
    let sent = try packets(SenderOptions(codec: codec), [sine(440)], mutes: true)
    for (index, packet) in sent.enumerated() { #expect(packet.header.sequenceNumber == UInt16(index)) }
    let rate = try #require(codec.format(channelCount: 1)).clockRate
    let marked = sent.indices.filter { sent[$0].header.marker }
    #expect(marked.count == 2 && marked[0] == 0)
    let (last, next) = (sent[marked[1] - 1], sent[marked[1]])
    // The fade, the rest of the rate converter and the packet that had begun: at most four frames after the mute.
    #expect(last.time <= 540_000_000 && next.time >= 1_500_000_000)
    let elapsed = Double(next.header.timestamp &- last.header.timestamp) / Double(rate)
    #expect(abs(elapsed - Double(next.time - last.time) / 1e9) < 0.002)
  }

  @Test("a rate that L16 does not have is refused with its number")
  func refused() {
    #expect(throws: EngineError.self) { try PacketSender(SenderOptions(codec: .linear16(sampleRate: 12_345))) }
  }
}
