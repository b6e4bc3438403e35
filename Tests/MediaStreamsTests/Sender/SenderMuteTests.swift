import AudioGraph
import Foundation
import TestSupport
import Testing

@testable import Engine
@testable import MediaStreams
@testable import OpusCodec
@testable import RTP

@Suite(.timeLimit(.minutes(10))) struct SenderMuteTests {
  private struct Sent {
    let header: RTPHeader
    let payload: [UInt8]
    let level: AudioLevel?
  }

  /// Packets of a voice that is muted from tick 50, or from the beginning, to tick 150, of 200.
  private func packets(
    _ options: SenderOptions, amplitude: Float = 0.3, isMutedAtFirst: Bool = false
  ) throws -> [Sent] {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000)
    let source = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    let sender = try PacketSender(options, capacity: 400)
    try pipeline.startSending(through: sender)
    let voice = seededNoise(count: 480, seed: 4, amplitude: amplitude)
    try pipeline.startStepping(isEndless: true)
    for tick in 0..<200 {
      if tick == (isMutedAtFirst ? 0 : 50) { try pipeline.muteLocalAudioStream(true) }
      if tick == 150 { try pipeline.muteLocalAudioStream(false) }
      _ = voice.withUnsafeBufferPointer { source.push($0.span) }
      pipeline.step(atNanoseconds: tick * 10_000_000)
    }
    pipeline.finishStepping()
    var sent: [Sent] = []
    while try sender.next({ bytes, _ in
      let view = try RTPPacketView(parsing: bytes)
      sent.append(
        Sent(
          header: view.header, payload: Array(bytes[view.payloadRange]),
          level: try view.audioLevel(identifier: 5, in: bytes)))
    }) {}
    return sent
  }

  @Test(
    "a muted voice is silent for 500 ms, then announces pauses every 400 ms",
    .shows("mute and goodbye"),
    arguments: OpusOptions.PacketDuration.allCases)
  func mute(duration: OpusOptions.PacketDuration) throws {
    let sent = try packets(SenderOptions(codec: .opus(OpusOptions(packetDuration: duration))))
    for (index, packet) in sent.enumerated() { #expect(packet.header.sequenceNumber == UInt16(index)) }
    let muted = sent.indices.filter { sent[$0].payload.count == 1 }
    #expect(muted.count == 2)
    for index in muted {
      // A frame of no bytes, of 10 ms, as RFC 6716 has it; not the beginning of speech.
      let payload = try sent[index].payload.withUnsafeBytes { try OpusPayload(parsing: $0) }
      #expect(payload.samplesPerChannel == 480 && payload.frameCount == 1)
      #expect(!sent[index].header.marker)
    }
    let times = muted.map { sent[$0].header.timestamp }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 40 * 480 })
    // What follows is where time has gone on to, and carries the marker.
    let next = try #require(sent.dropFirst(muted[1] + 1).first)
    #expect(next.header.marker && next.payload.count > 10)
    #expect(sent.filter(\.header.marker).count == 2)
    let last = try #require(sent.last)
    #expect(last.header.timestamp < 200 * 480 && last.header.timestamp >= 197 * 480)
  }

  @Test("a muted voice fades out in its last packet", .shows("G5"))
  func fade() throws {
    let sent = try packets(
      SenderOptions(codec: .opus(OpusOptions(packetDuration: .milliseconds10)), audioLevelIdentifier: 5))
    let levels = try sent.map { Int(try #require($0.level).decibelsBelowOverload) }
    let silent = try #require(levels.indices.first { $0 > 10 && levels[$0] == 127 })
    // A ramp from 1 to 0 has a third of the power.
    #expect(levels[silent - 2] == levels[20] && abs(levels[silent - 1] - levels[20] - 5) <= 1, "\(levels)")
  }

  @Test(
    "a muted voice of G.711 is silence without a gap", .shows("mute and goodbye", "rtp: codecs"),
    arguments: [SenderCodec.pcmu(), .pcma()], [false, true])
  func telephone(codec: SenderCodec, isMutedAtFirst: Bool) throws {
    let sent = try packets(SenderOptions(codec: codec), isMutedAtFirst: isMutedAtFirst)
    #expect(sent.count == 100 && sent.count { $0.header.marker } == 1)
    for (index, packet) in sent.enumerated() {
      #expect(packet.header.sequenceNumber == UInt16(index) && packet.header.timestamp == UInt32(160 * index))
    }
    // Positive zero of ITU-T G.711; between the ramp and the first sound behind it.
    let silence: UInt8 = codec == .pcmu() ? 0xFF : 0xD5
    for packet in sent[(isMutedAtFirst ? 0 : 28)..<75] {
      #expect(packet.payload == Array(repeating: silence, count: 160))
    }
    #expect(sent[80...].allSatisfy { Set($0.payload).count > 20 })
  }

  @Test(
    "packets behind a stop have the time of their sound", .shows("mute and goodbye"),
    arguments: [SenderCodec.opus(OpusOptions()), .pcmu(), .null(.milliseconds20)], [50, 51])
  func stop(codec: SenderCodec, at stop: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000)
    let source = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.setLocalSource(source)
    let sender = try PacketSender(SenderOptions(codec: codec), capacity: 400)
    try pipeline.startSending(through: sender)
    let voice = seededNoise(count: 480, seed: 4, amplitude: 0.3)
    try pipeline.startStepping(isEndless: true)
    for tick in 0..<200 {
      if tick == stop { try pipeline.stopSending(through: sender) }
      if tick == 150 { try pipeline.startSending(through: sender) }
      _ = voice.withUnsafeBufferPointer { source.push($0.span) }
      pipeline.step(atNanoseconds: tick * 10_000_000)
    }
    pipeline.finishStepping()
    var packets: [(header: RTPHeader, time: Int)] = []
    while try sender.next({ bytes, time in packets.append((try RTPHeader(parsing: bytes), time)) }) {}
    let rate = Double(SenderOptions(codec: codec).clockRate)
    // A packet has the time of its first frame, and leaves with its last one.
    for packet in packets {
      let behind = Double(packet.time) / 1e9 - Double(packet.header.timestamp) / rate
      #expect((0.009...0.031).contains(behind), "\(behind)")
    }
    #expect(packets.count >= 45)
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.header.sequenceNumber == $0.header.sequenceNumber + 1 })
  }

  @Test("without a codec a mute is announced at once and every 400 ms")
  func muteWithoutCodec() throws {
    let sent = try packets(SenderOptions(codec: .null(.milliseconds20), firstSequenceNumber: 7, sourceID: 9))
    let payloads = try sent.map { packet in try #require(packet.payload.withUnsafeBytes { NullPayload(parsing: $0) }) }
    for (index, packet) in sent.enumerated() {
      #expect(packet.header.sequenceNumber == UInt16(7 + index) && payloads[index].sequence == UInt32(7 + index))
    }
    let pauses = sent.indices.filter { payloads[$0].announcesPause }
    // A second of mute, less the packet that had begun.
    #expect(pauses.count == 3 && pauses.allSatisfy { payloads[$0].sampleCount == 480 })
    let times = pauses.map { sent[$0].header.timestamp }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 40 * 480 })
    #expect(sent.filter(\.header.marker).count == 2 && sent[pauses[2] + 1].header.marker)
  }

  @Test(
    "packets say how loud they are, to a dB of their RMS", .shows("audio level"),
    arguments: [1.0, 0.5, 0.1, 0.01, 0.0] as [Float], [1, 2])
  func level(amplitude: Float, channelCount: Int) throws {
    let scale = AudioLevelScale()
    let samples = seededNoise(count: 960 * channelCount, seed: 3, amplitude: amplitude)
    let meanSquare = samples.map { Double($0) * Double($0) }.reduce(0, +) / Double(samples.count)
    let expected = meanSquare == 0 ? 127 : min(127, max(0, Int((-10 * log10(meanSquare)).rounded())))
    let level = scale.level(samples, count: samples.count, hasVoice: false)
    #expect(Int(level.decibelsBelowOverload) == expected && !level.hasVoice)
    // A square wave at full scale is 0, a sine 3 dB below (RFC 6464, section 3).
    let square = (0..<480).map { Float($0 % 2 == 0 ? 1 : -1) }
    #expect(scale.level(square, count: 480, hasVoice: false).decibelsBelowOverload == 0)
    let sine = (0..<480).map { Float(sin(2 * Double.pi * Double($0) / 48)) }
    #expect(scale.level(sine, count: 480, hasVoice: false).decibelsBelowOverload == 3)
  }

  @Test(
    "a packet's level is its own, silent while muted, absent if not agreed",
    .shows("audio level"))
  func levels() throws {
    let options = OpusOptions(packetDuration: .milliseconds20)
    let sent = try packets(SenderOptions(codec: .opus(options), audioLevelIdentifier: 5))
    let voice = seededNoise(count: 480, seed: 4, amplitude: 0.3)
    let meanSquare = voice.map { Double($0) * Double($0) }.reduce(0, +) / 480
    let expected = Int((-10 * log10(meanSquare)).rounded())
    // The first packets hold the graph's delay.
    #expect(sent[5..<20].allSatisfy { $0.level.map { abs(Int($0.decibelsBelowOverload) - expected) <= 1 } == true })
    #expect(sent.filter { $0.payload.count == 1 }.allSatisfy { $0.level?.decibelsBelowOverload == 127 })
    let without = try packets(SenderOptions(codec: .opus(options)))
    #expect(without.allSatisfy { $0.level == nil })
    #expect(throws: EngineError.self) { try PacketSender(SenderOptions(audioLevelIdentifier: 15)) }
  }
}
