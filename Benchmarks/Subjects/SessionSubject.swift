import AudioGraph
import Engine
import Glibc
import MediaStreams
import NetworkIO
import RTP
import RTPSessions

/// A stream from the socket to the frame: reception, reports and requests, the ring, the receiver; without a codec and
/// without SRTP.
///
///     a socket ═▶ RTPReceiveSession ─▶ RTPSource ─▶ frames        measured
///              ◀═ reports, requests ◀═                                 the sender's answers are not
enum SessionSubject {
  private static let frames = 6_000

  static func run(_ bench: Bench) throws {
    try measure(bench, "clean network", jitterMilliseconds: 0, loss: 0)
    try measure(bench, "±20 ms, 10 % loss", jitterMilliseconds: 40, loss: 0.1)
  }

  /// 60 s of frames; the target is what the whole but libopus and SRTP may cost. What the kernel takes to hand
  /// datagrams over is in it, and stands beside it.
  private static func measure(_ bench: Bench, _ name: String, jitterMilliseconds: Double, loss: Double) throws {
    let name = "from the socket, \(name), a frame"
    guard bench.wants(name) else { return }
    let path = try SessionPath(jitterMilliseconds: jitterMilliseconds, loss: loss)
    var (spent, bare) = (0.0, 0.0)
    for _ in 0..<frames {
      let sent = try path.bring()
      let start = processorNanoseconds()
      path.session.pump(atMostNanoseconds: 0)
      path.runner.tick(timeNanoseconds: path.clock.nowNanoseconds)
      spent += processorNanoseconds() - start
      path.repeatSend(sent)
      let begin = processorNanoseconds()
      UDPSocket.wait(for: [path.other], atMostNanoseconds: 0)
      while path.other.receive({ bytes, _ in bytes.count }) != nil {}
      bare += processorNanoseconds() - begin
      path.pass()
    }
    let statistics = path.source.latestSnapshot.statistics
    try bench.check(statistics.packetsReceived > 2_000, "packets were not received")
    try bench.check(loss == 0 || path.session.report.missing.requested > 20, "nothing was asked for")
    let scale = Double(frames) * 1_000
    bench.note(name, spent / scale, unit: "µs", target: 5)
    bench.note("\(name): of that a bare socket", bare / scale, unit: "µs")
  }

  private static func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// The two ends of the stream, on virtual time.
private final class SessionPath {
  let clock = VirtualClock()
  let source: RTPSource
  let session: RTPReceiveSession
  let runner = GraphRunner(sampleRate: 48_000)
  /// Takes the same datagrams again, with nothing behind it.
  let other: UDPSocket
  private let sender: UDPSocket
  private var feedback = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "bench"), nowNanoseconds: 0, random: 0.5)
  private var packets: [(arrival: Int, bytes: [UInt8])]
  private var next = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)

  init(jitterMilliseconds: Double, loss: Double) throws {
    source = try RTPSource(
      JitterBufferOptions(codec: .null, payloadType: 111), isOffline: false, ready: Doorbell())
    session = try RTPReceiveSession(source, at: try SocketAddress("127.0.0.1:0"), usesRTCPMux: true, clock: clock)
    sender = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    other = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    let graph = try Graph(sampleRate: 48_000)
    let node = try graph.add(source.node, named: "receiver")
    try graph.connect(node, to: try graph.add(ProbeSinkNode(channelCount: 1), named: "sink"))
    try runner.install(graph)
    var random: UInt64 = 1
    func unit() -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(random >> 11) * 0x1p-53
    }
    packets = []
    for number in 0..<3_000 {
      var bytes = [UInt8](repeating: 0, count: RTPHeader.byteCount + NullPayload.byteCount)
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
        timestamp: UInt32(number * 960), ssrc: 1)
      try bytes.withUnsafeMutableBytes { bytes in
        _ = try header.write(to: bytes)
        _ = NullPayload(source: 1, sequence: UInt32(number), sampleCount: 960).write(
          to: UnsafeMutableRawBufferPointer(rebasing: bytes[RTPHeader.byteCount...]))
      }
      let arrival = Int((Double(number * 20) + 20 + jitterMilliseconds * unit()) * 1e6)
      if unit() >= loss { packets.append((arrival, bytes)) }
    }
    packets.sort { $0.arrival < $1.arrival }
  }

  deinit { memory.deallocate() }

  /// Sends what comes by now, and what the sender answers. Returns: packets of the stream among them.
  func bring() throws -> Range<Int> {
    let begin = next
    while next < packets.count, packets[next].arrival <= clock.nowNanoseconds {
      send(packets[next].bytes, to: session.localAddress)
      next += 1
    }
    let count = feedback.write(
      into: memory, targetDelayNanoseconds: 0, nowNanoseconds: clock.nowNanoseconds, random: 0.5)
    if count > 0 { sender.send(UnsafeRawBufferPointer(rebasing: memory[..<count]), to: session.localAddress) }
    return begin..<next
  }

  /// Sends the same to the bare socket.
  func repeatSend(_ range: Range<Int>) { for index in range { send(packets[index].bytes, to: other.localAddress) } }

  /// Lets the sender hear, and 10 ms pass.
  func pass() {
    let now = clock.nowNanoseconds
    while sender.receive({ bytes, _ in _ = try? feedback.receive(bytes, nowNanoseconds: now) }) != nil {}
    clock.advance(byNanoseconds: 10_000_000)
  }

  private func send(_ bytes: [UInt8], to address: SocketAddress) {
    bytes.withUnsafeBytes { _ = sender.send($0, to: address) }
  }
}
