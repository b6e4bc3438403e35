import AudioGraph
import Engine
import MediaStreams
import NetworkIO
import RTP
import RTPSessions

/// A stream that comes in over a real socket, with losses, requests and reports: counts what `RTPReceiveSession.pump`
/// allocates.
///
/// The network's thread may allocate; in steady state it has no reason to.
struct PumpRun {
  private static let ssrc: UInt32 = 7
  private static let frame = 10_000_000
  /// Pumps before anything counts: the round trip is known by then.
  private static let warmUp = 600
  private static let counted = 2_000

  /// What so many pumps did, and what had come by then.
  struct Result {
    var heap = HeapUse()
    var packets = 0
    var requests = 0
  }

  private let clock: GateClock
  private let pipeline: AudioPipeline
  private let source: RTPSource
  private let session: RTPReceiveSession
  private let sender: UDPSocket
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)

  init(plant: Plant?) throws {
    clock = GateClock(allocates: plant == .receiving)
    pipeline = try AudioPipeline(mode: .offline)
    source = try pipeline.addRemoteUser(1, receiving: JitterBufferOptions(codec: .null, payloadType: 111))
    session = try RTPReceiveSession(source, at: try SocketAddress("127.0.0.1:0"), usesRTCPMux: true, clock: clock)
    sender = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    try pipeline.startStepping(isEndless: true)
  }

  func run() throws -> Result {
    defer { memory.deallocate() }
    defer { pipeline.finishStepping() }
    var feedback = RTCPSession(RTCPSessionOptions(ssrc: Self.ssrc, name: "gate"), nowNanoseconds: 0, random: 0.5)
    var result = Result()
    for tick in 0..<(Self.warmUp + Self.counted) {
      let now = clock.nowNanoseconds
      // Every twentieth packet is lost.
      if tick % 20 != 19 { try send(tick) }
      let count = feedback.write(into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: 0.5)
      if count > 0 { sender.send(UnsafeRawBufferPointer(rebasing: memory[..<count]), to: session.localAddress) }
      result.heap.add(isCounted: tick >= Self.warmUp) { session.pump(atMostNanoseconds: 0) }
      while sender.receive({ bytes, _ in _ = try? feedback.receive(bytes, nowNanoseconds: now) }) != nil {}
      source.complete(untilNanoseconds: now + 1)
      pipeline.step(atNanoseconds: now)
      clock.advance(byNanoseconds: Self.frame)
    }
    result.packets = session.counters.packets
    result.requests = session.report.missing.requested
    return result
  }

  /// A packet of 10 ms in each tick.
  private func send(_ index: Int) throws {
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: index),
      timestamp: UInt32(index * 480), ssrc: Self.ssrc)
    _ = try header.write(to: memory)
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[RTPHeader.byteCount...])
    _ = NullPayload(source: 1, sequence: UInt32(index), sampleCount: 480).write(to: payload)
    sender.send(
      UnsafeRawBufferPointer(rebasing: memory[..<(RTPHeader.byteCount + NullPayload.byteCount)]),
      to: session.localAddress)
  }
}
