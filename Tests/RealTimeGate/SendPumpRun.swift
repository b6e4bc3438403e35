import AudioGraph
import Engine
import MediaStreams
import NetworkIO
import OpusCodec
import RTP
import RTPSessions

/// A voice that goes out over a real socket to a receiver that loses, reports and asks again: counts what
/// `RTPSendSession.pump` allocates.
struct SendPumpRun {
  private static let frame = 10_000_000
  /// Pumps before anything counts: reports have come by then, and the codec's settings are those for the loss.
  private static let warmUp = 3_000
  private static let counted = 2_000

  /// What so many pumps did, and what had gone by then.
  struct Result {
    var heap = HeapUse()
    var packets = 0
    var retransmitted = 0
    var reports = 0
  }

  private let clock: GateClock
  private let runner = GraphRunner(sampleRate: 48_000)
  private let session: RTPSendSession
  private let receiver: UDPSocket
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)

  init(plant: Plant?) throws {
    clock = GateClock(allocates: plant == .sending)
    let sender = try PacketSender(
      SenderOptions(codec: .opus(OpusOptions(packetDuration: .milliseconds20, forwardErrorCorrection: true))))
    sender.setSending(true)
    let graph = try Graph(sampleRate: 48_000)
    let noise = try graph.add(NoiseNode(channelCount: 1, seed: 3), named: "noise")
    try graph.connect(noise, to: try graph.add(sender.node, named: "sender"))
    try runner.install(graph)
    receiver = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    session = try RTPSendSession(sender, to: receiver.localAddress, usesRTCPMux: true, clock: clock)
  }

  func run() throws -> Result {
    defer { memory.deallocate() }
    let back = try SocketAddress("127.0.0.1:\(session.localAddress.port)")
    var feedback = RTCPSession(RTCPSessionOptions(ssrc: 9, name: "gate"), nowNanoseconds: 0, random: 0.5)
    var result = Result()
    var arrived = 0
    for tick in 0..<(Self.warmUp + Self.counted) {
      let now = clock.nowNanoseconds
      runner.tick(timeNanoseconds: now)
      result.heap.add(isCounted: tick >= Self.warmUp) { session.pump() }
      while receiver.receive({ bytes, _ in
        guard DatagramKind(bytes) == .rtp else {
          _ = try? feedback.receive(bytes, nowNanoseconds: now)
          return
        }
        arrived += 1
        // Every twentieth packet is lost.
        if arrived % 20 != 0, let header = try? RTPHeader(parsing: bytes) {
          _ = feedback.receive(header, nowNanoseconds: now)
        }
      }) != nil {}
      let count = feedback.write(into: memory, targetDelayNanoseconds: 60_000_000, nowNanoseconds: now, random: 0.5)
      if count > 0 { receiver.send(UnsafeRawBufferPointer(rebasing: memory[..<count]), to: back) }
      clock.advance(byNanoseconds: Self.frame)
    }
    result.packets = session.counters.packets
    result.retransmitted = session.counters.retransmitted
    result.reports = session.counters.reports
    return result
  }
}
