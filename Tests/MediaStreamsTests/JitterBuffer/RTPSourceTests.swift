import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import MediaStreams
import OpusCodec
import StreamTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTPSourceTests {
  private let voice = Array(TestVoice.samples[..<48_000])

  @Test(
    "a remote user's packets come out offline as libopus decodes them",
    .shows("receive: identity"))
  func offline() throws {
    let payloads = try OpusStream.encode(voice, options: OpusOptions())
    let stream = try PacketStream(payloads, packetMilliseconds: 20)
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let source = try pipeline.addRemoteUser(7, receiving: JitterBufferOptions())
    let kept = KeepingNode(channelCount: 1)
    try pipeline.addSink(KeepingSink(kept))
    for packet in stream.packets {
      #expect(packet.bytes.withUnsafeBytes { source.receive($0, arrivalNanoseconds: packet.arrival) })
    }
    source.finish(atPosition: 48_000)
    try pipeline.runToEnd()
    let expected = try OpusStream.decode(payloads)
    let output = kept.channels[0]
    // One frame and what looks ahead, then the pipeline's own delay.
    let lead = 480 + 40 + (try pipeline.latency())
    #expect(output.count >= 48_000)
    let differing = zip(output[lead...], expected).filter { $0.bitPattern != $1.bitPattern }.count
    #expect(differing == 0)
    let report = source.latestSnapshot
    #expect(report.statistics.packetsReceived == 50)
    #expect(report.statistics.concealedSamples == 0)
    #expect(report.stage == .playing)
  }

  @Test("a muted user's packets are taken and not decoded", .shows("receive: unheard"))
  func muted() throws {
    let payloads = (0..<50).map { TimedPacket.null($0, samples: 960, source: $0 < 25 ? 1 : 2) }
    let stream = try PacketStream(payloads, packetMilliseconds: 20)
    for isMuted in [true, false] {
      let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
      let source = try pipeline.addRemoteUser(7, receiving: JitterBufferOptions(codec: .null))
      try pipeline.muteRemoteAudioStream(7, isMuted)
      for packet in stream.packets {
        packet.bytes.withUnsafeBytes { _ = source.receive($0, arrivalNanoseconds: packet.arrival) }
      }
      source.finish(atPosition: 48_000)
      try pipeline.runToEnd()
      #expect(source.latestSnapshot.statistics.packetsReceived == 50)
      // Whoever decodes sees that the payloads' source changes.
      #expect(source.latestSnapshot.statistics.payloadMismatches == (isMuted ? 0 : 25))
    }
  }

  @Test("packets beyond the capacity and too long ones are refused and counted")
  func refusals() throws {
    let pipeline = try AudioPipeline()
    let source = try RTPSource(JitterBufferOptions(), of: pipeline, capacity: 3)
    let packet = [UInt8](repeating: 0x80, count: 100)
    let results = (0..<5).map { number in packet.withUnsafeBytes { source.receive($0, arrivalNanoseconds: number) } }
    #expect(results == [true, true, true, false, false])
    #expect(!([UInt8](repeating: 0, count: 1_501).withUnsafeBytes { source.receive($0, arrivalNanoseconds: 9) }))
    #expect(source.refusedPacketCount == 3)
  }

  @Test("a source that holds its packets is heard exactly that much later", arguments: [true, false])
  func held(isOffline: Bool) throws {
    let stream = try PacketStream(
      try OpusStream.encode(voice, options: OpusOptions()), packetMilliseconds: 20)
    func heard(holding milliseconds: Int) throws -> [Float] {
      let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
      let source = try RTPSource(
        JitterBufferOptions(), isOffline: isOffline, ready: pipeline.bell, capacity: 100,
        holdNanoseconds: milliseconds * 1_000_000)
      try pipeline.addRemoteUser(7, from: source)
      let kept = KeepingNode(channelCount: 1)
      try pipeline.addSink(KeepingSink(kept))
      try pipeline.startStepping(isEndless: true)
      for tick in 0..<600 {
        let now = tick * 10_000_000
        for packet in stream.packets where packet.arrival <= now && packet.arrival > now - 10_000_000 {
          packet.bytes.withUnsafeBytes { _ = source.receive($0, arrivalNanoseconds: packet.arrival) }
        }
        source.complete(untilNanoseconds: now + 1)
        _ = pipeline.waitUntilReady()
        pipeline.step(atNanoseconds: now)
      }
      pipeline.finishStepping()
      return kept.channels[0]
    }
    let (direct, late) = (try heard(holding: 0), try heard(holding: 4_000))
    #expect(direct.contains { abs($0) > 0.1 } && late[..<192_000].allSatisfy { $0 == 0 })
    #expect(late[192_000...].elementsEqual(direct[..<96_000]))
  }

  @Test("a pipeline of another rate refuses the source")
  func rate() throws {
    let pipeline = try AudioPipeline(sampleRate: 44_100)
    #expect(throws: EngineError.self) { try pipeline.addRemoteUser(1, receiving: JitterBufferOptions()) }
  }
}

/// Keeps what comes, and never makes the pipeline wait.
private final class KeepingSink: AudioSink, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): looked at by the one thread that runs the pipeline.
  let node: any AudioNode
  init(_ node: KeepingNode) { self.node = node }
  var isReady: Bool { true }
  func requestCapacity() {}
  func endOfStream() {}
}
