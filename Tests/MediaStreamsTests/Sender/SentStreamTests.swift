import Engine
import GraphTestSupport
import MediaStreams
import Platform
import RTP
import TestSupport
import Testing

/// A sent stream whose sender is replaced.
@Suite(.timeLimit(.minutes(10))) struct SentStreamTests {
  /// Sends what waits, and returns the headers of the packets.
  private static func packets(_ stream: SentStream, _ tick: Int) -> [RTPHeader] {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
    defer { memory.deallocate() }
    var headers: [RTPHeader] = []
    stream.pump(
      now: tick * 10_000_000, random: 0.5, memory: memory,
      protect: { count, _ in UnsafeRawBufferPointer(rebasing: memory[..<count]) },
      send: { bytes, isRTCP in
        if !isRTCP, let header = try? RTPHeader(parsing: bytes) { headers.append(header) }
      })
    return headers
  }

  @Test("the packets of another sender continue, over 32767 and over a pause", arguments: [UInt16(0), 32_760])
  func replaced(first: UInt16) throws {
    var random = SeededGenerator(seed: 1)
    let options = RTCPSessionOptions(
      ssrc: 7, clockRate: 48_000, clock: VirtualClock(), unixNanoseconds: 0, using: &random)
    let stream = SentStream(
      try PacketSender(SenderOptions(ssrc: 7, firstSequenceNumber: first, firstTimestamp: .max - 9_600)),
      session: RTCPSession(options, nowNanoseconds: 0, random: 0.5))
    let pipeline = try AudioPipeline(mode: .offline)
    let noise = seededNoise(count: 240_000, seed: 1)
    try pipeline.setLocalSource(try PlaneSource([noise, noise]))
    try pipeline.startSending(through: stream.sender)
    try pipeline.startStepping(isEndless: true)
    var headers: [RTPHeader] = []
    for tick in 0..<400 {
      if tick == 100 { try pipeline.stopSending(through: stream.sender) }
      if tick == 200 {
        let sender = try stream.replaceSender(channelCount: 2, nowNanoseconds: tick * 10_000_000)
        #expect(sender.options.channelCount == 2 && sender.options.ssrc == 7)
        try pipeline.startSending(through: sender)
      }
      _ = pipeline.waitUntilReady()
      pipeline.step(atNanoseconds: tick * 10_000_000)
      headers += Self.packets(stream, tick)
    }
    pipeline.finishStepping()
    #expect(headers.count > 140 && headers.allSatisfy { $0.ssrc == 7 })
    for (packet, next) in zip(headers, headers.dropFirst()) {
      #expect(next.sequenceNumber == packet.sequenceNumber &+ 1)
      let step = next.timestamp &- packet.timestamp
      // A packet, or the second of the pause.
      #expect(step == 960 || (48_000...52_800).contains(step), "\(step)")
    }
  }
}
