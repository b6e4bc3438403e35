import AudioGraph
import Engine
import Foundation
import MediaStreams
import NetworkIO
import OpusCodec
import RTP
import RTPSessions
import SRTP
import TestSupport
import Testing

/// Reports and requests to and from GStreamer's rtpbin on this machine, encrypted, in real time.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gst-launch-1.0"), "GStreamer is not installed"),
  .timeLimit(.minutes(10)))
struct GStreamerReportsTests {
  private static let suite = SRTPSuite.aesCM128HMACSHA1_80
  private static let frame = 10_000_000
  /// What GStreamer may take, to start and to say something.
  private static let limit = 60_000_000_000

  /// GStreamer at two ports that were free a moment ago.
  private struct Peer: ~Copyable {
    /// When it is started again if it has not said anything: another program may have taken its port before it could.
    private static let patience = 15_000_000_000

    private(set) var ports: (rtp: UInt16, rtcp: UInt16)
    private var program: BackgroundProgram
    private var started: Int
    private let pipeline: ((rtp: UInt16, rtcp: UInt16)) -> String

    init(at now: Int, _ pipeline: @escaping ((rtp: UInt16, rtcp: UInt16)) -> String) throws {
      ports = try Self.freePorts()
      program = Self.start(pipeline(ports))
      started = now
      self.pipeline = pipeline
    }

    /// Starts it at other ports where it has been silent for too long.
    mutating func noteSilence(at now: Int) throws {
      guard now - started > Self.patience else { return }
      ports = try Self.freePorts()
      program = Self.start(pipeline(ports))
      started = now
    }

    private static func start(_ pipeline: String) -> BackgroundProgram {
      let words = pipeline.split(whereSeparator: \.isWhitespace).map(String.init)
      return BackgroundProgram("/usr/bin/gst-launch-1.0", ["-q"] + words)
    }

    private static func freePorts() throws -> (rtp: UInt16, rtcp: UInt16) {
      let address = try SocketAddress("127.0.0.1:0")
      let sockets = [try UDPSocket(at: address), try UDPSocket(at: address)]
      return (sockets[0].localAddress.port, sockets[1].localAddress.port)
    }
  }

  /// A key, and its hexadecimal digits.
  private func key() throws -> (bytes: [UInt8], text: String) {
    var random = SeededGenerator(seed: 33)
    let count = Self.suite.keyByteCount + Self.suite.saltByteCount
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (bytes, bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
  }

  private func protection(_ bytes: [UInt8]) throws -> SRTPContextPair {
    let key = try SRTPKey(Self.suite, bytes: bytes.span.bytes)
    return SRTPContextPair(sending: key, receiving: key)
  }

  /// How GStreamer opens what the source `ssrc` sends.
  private func caps(_ kind: String, ssrc: UInt32, key: String) -> String {
    let names = ["rtp", "rtcp"].map { "s\($0)-cipher=(string)aes-128-icm,s\($0)-auth=(string)hmac-sha1-80" }
    return "\(kind),ssrc=(uint)\(ssrc),srtp-key=(buffer)\(key)," + names.joined(separator: ",")
  }

  /// How GStreamer protects what it sends.
  private func encoder(_ key: String) -> String {
    "srtpenc name=e key=\(key) rtp-cipher=aes-128-icm rtp-auth=hmac-sha1-80 rtcp-cipher=aes-128-icm rtcp-auth=hmac-sha1-80"
  }

  private func address(_ port: UInt16) throws -> SocketAddress { try SocketAddress("127.0.0.1:\(port)") }

  @Test("GStreamer's reports are read over SRTP and its requests answered", .shows("rtp: reports over SRTP"))
  func sending() throws {
    let (bytes, text) = try key()
    let middle = try UDPSocket(at: address(0))
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000)
    let voice = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.setLocalSource(voice)
    let sender = try PacketSender(SenderOptions(codec: .opus(OpusOptions(complexity: 1)), ssrc: 77))
    try pipeline.startSending(through: sender)
    let clock = SystemClock()
    let session = try RTPSendSession(
      sender, to: middle.localAddress, usesRTCPMux: true, adapts: false, protection: protection(bytes), clock: clock)
    let stream = caps("application/x-srtp", ssrc: 77, key: text)
    let begin = clock.nowNanoseconds
    var peer = try Peer(at: begin) { ports in
      """
      rtpbin name=b rtp-profile=savpf do-retransmission=true latency=200
      udpsrc port=\(ports.rtp) caps=\(stream),media=audio,encoding-name=OPUS,clock-rate=48000,payload=111,rtcp-fb-nack=true
      ! srtpdec name=d d.rtp_src ! b.recv_rtp_sink_0 b. ! rtpopusdepay ! fakesink sync=false
      udpsrc port=\(ports.rtcp) caps=\(caps("application/x-srtcp", ssrc: 77, key: text)) ! d.rtcp_sink
      d.rtcp_src ! b.recv_rtcp_sink_0
      b.send_rtcp_src_0 ! e.rtcp_sink_0 \(encoder(text)) e.rtcp_src_0
      ! udpsink host=127.0.0.1 port=\(middle.localAddress.port) sync=false async=false
      """
    }
    try pipeline.startStepping(isEndless: true)
    defer { pipeline.finishStepping() }
    let own = try address(session.localAddress.port)
    var seen: Set<UInt16> = []
    var hasSpoken = false
    var tick = 0
    while clock.nowNanoseconds - begin < Self.limit,
      session.counters.roundTripMilliseconds == nil || session.counters.retransmitted < 3
    {
      if !hasSpoken { try peer.noteSilence(at: clock.nowNanoseconds) }
      let ports = peer.ports
      clock.wait(untilNanoseconds: begin + tick * Self.frame)
      let samples = seededNoise(count: 480, seed: UInt64(tick), amplitude: 0.1)
      _ = samples.withUnsafeBufferPointer { voice.push($0.span) }
      pipeline.step(atNanoseconds: tick * Self.frame)
      session.pump()
      tick += 1
      while try middle.receive({ (bytes, from) throws -> Void in
        if from.port != session.localAddress.port {
          hasSpoken = true
          middle.send(bytes, to: own)
        } else if DatagramKind(bytes) == .rtcp {
          middle.send(bytes, to: try address(ports.rtcp))
        } else {
          let number = try RTPHeader(parsing: bytes).sequenceNumber
          // Requests put its next report off (RFC 4585, 3.5.2), again and again.
          let hasReported = session.counters.roundTripMilliseconds != nil
          let isLost = seen.insert(number).inserted && hasReported && seen.count % 20 == 0
          if !isLost { middle.send(bytes, to: try address(ports.rtp)) }
        }
      }) != nil {}
    }
    #expect(session.counters.reports >= 1 && session.counters.refused == 0)
    #expect(
      session.counters.retransmitted >= 3 && session.counters.retransmitted <= session.report.retransmissions.requested)
    // It has had our own reports, too, or it could not say when.
    let trip = try #require(session.counters.roundTripMilliseconds)
    #expect(trip >= 0 && trip < 1_000)
    _ = consume peer
  }

  @Test(
    "GStreamer opens our reports about its stream over SRTP", .shows("rtp: reports over SRTP"),
    arguments: [true, false])
  func receiving(isCompound: Bool) throws {
    let (bytes, text) = try key()
    let middle = try UDPSocket(at: address(0))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let opened = folder.appendingPathComponent("opened")
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000)
    let source = try pipeline.addRemoteUser(1, receiving: JitterBufferOptions(payloadType: 111))
    let clock = SystemClock()
    let session = try RTPReceiveSession(
      source, at: address(0), usesRTCPMux: true, usesReducedSizeRTCP: !isCompound, protection: protection(bytes),
      clock: clock)
    let begin = clock.nowNanoseconds
    var peer = try Peer(at: begin) { ports in
      """
      rtpbin name=b rtp-profile=savpf
      audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=1 ! opusenc ! rtpopuspay pt=111 ssrc=99
      ! b.send_rtp_sink_0 b.send_rtp_src_0 ! e.rtp_sink_0 \(encoder(text)) e.rtp_src_0
      ! udpsink host=127.0.0.1 port=\(middle.localAddress.port)
      b.send_rtcp_src_0 ! e.rtcp_sink_0 e.rtcp_src_0
      ! udpsink host=127.0.0.1 port=\(middle.localAddress.port) sync=false async=false
      udpsrc port=\(ports.rtcp) caps=\(caps("application/x-srtcp", ssrc: session.ssrc, key: text)) ! d.rtcp_sink
      srtpdec name=d d.rtcp_src ! tee name=t t. ! queue ! b.recv_rtcp_sink_0
      t. ! queue ! filesink location=\(opened.path) buffer-mode=2 async=false
      """
    }
    let own = try address(session.localAddress.port)
    var (blocks, loss) = (0, 0)
    while clock.nowNanoseconds - begin < Self.limit, blocks < 3 {
      if session.counters.packets == 0 { try peer.noteSilence(at: clock.nowNanoseconds) }
      let ports = peer.ports
      UDPSocket.wait(for: [middle], atMostNanoseconds: Self.frame)
      while try middle.receive({ (bytes, from) throws -> Void in
        middle.send(bytes, to: from.port == session.localAddress.port ? try address(ports.rtcp) : own)
      }) != nil {}
      session.pump(atMostNanoseconds: 0)
      (blocks, loss) = try reports(about: 99, from: session.ssrc, in: opened)
    }
    #expect(blocks >= 3 && loss == 0, "\(blocks)")
    #expect(
      session.counters.packets >= 50 && session.counters.refused == 0 && session.counters.unknownSources == 0,
      "\(session.counters)")
    _ = consume peer
  }

  /// Blocks about a source in datagrams of RTCP one behind the other, and the sum of the losses that they tell of.
  private func reports(about source: UInt32, from ssrc: UInt32, in file: URL) throws -> (count: Int, loss: Int) {
    guard let data = try? Data(contentsOf: file) else { return (0, 0) }
    return try data.withUnsafeBytes { bytes in
      var found = (count: 0, loss: 0)
      // The last datagram may be half written.
      guard var reader = try? RTCPReader(bytes) else { return found }
      while let packet = reader.next() {
        guard packet.type == .receiverReport, try packet.senderSSRC() == ssrc else { continue }
        for index in 0..<packet.count {
          let block = try packet.reportBlock(index)
          guard block.ssrc == source else { continue }
          found.count += 1
          found.loss += Int(block.fractionLost)
        }
      }
      return found
    }
  }
}
