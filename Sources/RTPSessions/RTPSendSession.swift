public import AudioGraph
public import MediaStreams
import NetworkIO
public import RTP

/// Sends the packets of a `PacketSender` to another program over UDP, plain or with SRTP, and listens to its reports.
///
///     PacketSender ─▶ [SRTP] ─▶ UDP ═▶ the other program
///                                 ◀═ [SRTP] ◀═ receiver reports ─▶ SenderRateController ─▶ PacketSender
///                                           ◀═ requests ─▶ the packets of the last 500 ms, at a bounded rate
///
/// RTCP goes to the next port, or to the same with `usesRTCPMux` (RFC 5761). Reports are taken from either.
///
/// Thread: one at a time.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// try pipeline.setLocalSource(.file("talk.wav"))
/// let sender = try PacketSender()
/// try pipeline.startSending(through: sender)
/// let session = try RTPSendSession(sender, to: try SocketAddress("127.0.0.1:5004"))
/// try pipeline.start()
/// for _ in 0..<100 {
///   session.pump()
///   try await Task.sleep(for: .milliseconds(10))
/// }
/// pipeline.stop()
/// ```
public final class RTPSendSession {
  /// Counters of a send session.
  public struct Counters: Hashable, Sendable {
    /// RTP packets sent, for the first time.
    public var packets = 0
    /// Bytes of the payloads of the packets sent.
    public var payloadBytes = 0
    /// Packets that the system or SRTP did not take.
    public var failures = 0
    /// Datagrams of the stream that came back because nobody listens there or no path exists, as far as hosts say so.
    /// Most say so once a second at most.
    public var unreachable = 0
    /// Packets sent again because the receiver requested them.
    public var retransmitted = 0
    /// Reports of the receiver that came.
    public var reports = 0
    /// Datagrams of RTCP that SRTP refused: under another key or none, changed on the path, or repeated.
    public var refused = 0
    /// Share of packets that did not arrive, 0...1, as of the newest evidence; nil without any. The evidence is
    /// reports, their lag behind the packets, and packets that came back.
    public var fractionLost: Double?
    /// Packets with a known fate in all, and those of them that were lost.
    public var judged = LinkFeedback.SentPackets()
    /// First hundred times in which nobody received the stream, as far as known. Packets came back, none of them
    /// arrived, or nothing came from the receiver any more.
    public var outages: [Outage] = []
    /// Number of all outages.
    public var outageCount = 0
    /// Round trip as of the last report, in milliseconds; nil before it is known.
    public var roundTripMilliseconds: Double?
  }

  /// Time in which nobody received the stream.
  public struct Outage: Hashable, Sendable {
    /// Begin, in nanoseconds of the clock: earlier packets are known to have been received. If no receiver reports, it
    /// is the time at which packets began to come back.
    public let beginNanoseconds: Int
    /// Time at which the stream was received again, in nanoseconds of the clock; nil while the outage lasts.
    public fileprivate(set) var endNanoseconds: Int?
  }

  /// Counters so far.
  public private(set) var counters = Counters()
  /// Address that the session sends from.
  public var localAddress: SocketAddress { socket.localAddress }

  private let sender: PacketSender
  private let socket: UDPSocket
  private let target: SocketAddress
  private let reportTarget: SocketAddress
  private let clock: any EngineClock
  private var control: SenderRateController?
  private let protection: SRTPContextPair?
  private var feedback: RTCPSession
  /// Packets of the last 500 ms, as they were sent.
  private var kept = RetransmissionCache()
  private var freshFeedback: LinkFeedback?
  private var refusals = UnreachableDestination()
  private var hasHeardReceiver = false
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
  private var random: any RandomNumberGenerator

  private static let mostOutages = 100
  private static let longestBurst = 1_000

  /// Creates a session that sends to an address.
  ///
  /// - Parameters:
  ///   - sender: makes the packets of the stream.
  ///   - target: address of the receiver.
  ///   - usesRTCPMux: whether RTCP goes to the same port.
  ///   - adapts: whether the receiver's reports change bit rate, FEC and the packets' duration.
  ///   - protection: SRTP of both directions; nil for plain RTP.
  ///   - clock: clock of packets and reports.
  ///   - random: source of the spread of reports over time and of the name in them.
  /// - Throws: `NetworkError`, also if this machine knows no path to the target.
  public init(
    _ sender: PacketSender, to target: SocketAddress, usesRTCPMux: Bool = false, adapts: Bool = true,
    protection: SRTPContextPair? = nil, clock: any EngineClock = SystemClock(),
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws {
    var random = random
    self.sender = sender
    self.target = target
    self.clock = clock
    reportTarget = usesRTCPMux || target.port == .max ? target : target.withPort(target.port + 1)
    try UDPSocket.checkWay(to: target)
    socket = try UDPSocket(at: try SocketAddress(target.isIPv6 ? "[::]:0" : ":0"), watchesRefusals: true)
    self.protection = protection
    if adapts, case .opus(let options) = sender.options.codec {
      control = SenderRateController(options)
    } else {
      control = nil
    }
    feedback = RTCPSession(
      RTCPSessionOptions(
        ssrc: sender.options.ssrc, clockRate: sender.options.clockRate, clock: clock, using: &random),
      nowNanoseconds: clock.nowNanoseconds,
      random: Double.random(in: 0..<1, using: &random))
    self.random = random
  }

  deinit { memory.deallocate() }

  /// Knowledge of the stream at the receiver: loss, jitter, round trip, requested and retransmitted packets.
  public var report: RTCPSessionReport { feedback.report }

  /// Takes the news of the receiver's reports since the last call, for `AudioPipeline.setLinkFeedback`; nil if there
  /// are none.
  public func takeLinkFeedback() -> LinkFeedback? {
    defer { freshFeedback = nil }
    return freshFeedback
  }

  /// Sends the packets that wait, takes the datagrams that have come, and sends requested packets and a report if one
  /// is due.
  public func pump() {
    takeRefusals()
    while sender.next({ bytes, _ in send(bytes) }) {}
    // Bounded, so that a flood does not keep the caller here.
    for _ in 0..<Self.longestBurst where socket.receive({ bytes, _ in take(bytes) }) == nil { break }
    let now = clock.nowNanoseconds
    while let packet = feedback.retransmissions.next(from: kept, nowNanoseconds: now) {
      if socket.send(packet, to: target) { counters.retransmitted += 1 } else { counters.failures += 1 }
    }
    let count = feedback.write(
      into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: Double.random(in: 0..<1, using: &random))
    if count > 0 { sendReport(byteCount: count) }
    judgeDelivery(now)
  }

  /// Sends the packets that wait and a BYE: nothing follows.
  public func finish() {
    pump()
    sendReport(byteCount: feedback.writeBye(into: memory, nowNanoseconds: clock.nowNanoseconds))
    takeRefusals()
    judgeDelivery(clock.nowNanoseconds)
    // Packets that came back since the last evidence count, too.
    let delivery = feedback.report.delivery
    counters.judged = LinkFeedback.SentPackets(due: delivery.dueCount, lost: delivery.lostCount)
  }

  /// Whether nobody receives the stream, as far as known.
  public private(set) var isUnheard = false

  /// Whether everything sent so far has come back, and nothing came from a receiver.
  public var isRefused: Bool { !hasHeardReceiver && refusals.hasRefusedAll }

  /// Error (errno) of the last datagram that the system did not take or that came back; nil if all got through since
  /// the last report.
  public private(set) var lastError: Int32?

  private func takeRefusals() {
    socket.takeRefusals { address, error in
      // The receiver may have no socket for reports.
      guard address == target else { return }
      lastError = error
      counters.unreachable += 1
      refusals.refused(nowNanoseconds: clock.nowNanoseconds)
      feedback.refused(nowNanoseconds: clock.nowNanoseconds)
    }
  }

  /// Takes news of the stream's delivery, if there is any.
  private func judgeDelivery(_ now: Int) {
    guard let delivery = feedback.takeDelivery(nowNanoseconds: now) else { return }
    freshFeedback = LinkFeedback(feedback.report)
    counters.fractionLost = delivery.loss
    counters.judged = LinkFeedback.SentPackets(due: delivery.dueCount, lost: delivery.lostCount)
    noteOutage(delivery, now)
    // Without reports all counts as lost (RFC 5348, section 4.4, halves the rate): a full path loses reports, too.
    guard let loss = delivery.loss ?? (delivery.isUnreported ? 1 : nil) else { return }
    if control?.receive(fractionLost: UInt8(min(255, 256 * loss))) == true {
      try? sender.set(control!.options)
    }
  }

  private func noteOutage(_ delivery: DeliveryReport, _ now: Int) {
    let isUnheard = delivery.isInterrupted || delivery.loss == 1
    guard isUnheard != self.isUnheard else { return }
    self.isUnheard = isUnheard
    if isUnheard {
      counters.outageCount += 1
      if counters.outageCount <= Self.mostOutages {
        counters.outages.append(Outage(beginNanoseconds: delivery.heardNanoseconds ?? now))
      }
    } else if counters.outageCount <= Self.mostOutages {
      counters.outages[counters.outages.count - 1].endNanoseconds = now
    }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count + 64 <= memory.count, let view = try? RTPPacketView(parsing: bytes) else {
      counters.failures += 1
      return
    }
    memory.copyMemory(from: bytes)
    guard let packet = protect(byteCount: bytes.count, isRTCP: false) else { return }
    // Kept even if the system did not take it: it may the next time. A pipeline's time may begin with its first tick:
    // only the clock is that of the reports, too.
    let now = clock.nowNanoseconds
    kept.insert(packet, sequenceNumber: view.header.sequenceNumber, nowNanoseconds: now)
    feedback.sent(view.header, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
    guard socket.send(packet, to: target) else {
      counters.failures += 1
      lastError = socket.sendError
      feedback.refused(nowNanoseconds: clock.nowNanoseconds)
      return
    }
    refusals.sent(nowNanoseconds: clock.nowNanoseconds)
    counters.packets += 1
    counters.payloadBytes += view.payloadByteCount
  }

  private func sendReport(byteCount: Int) {
    guard byteCount > 0, let report = protect(byteCount: byteCount, isRTCP: true) else { return }
    if !socket.send(report, to: reportTarget) { counters.failures += 1 }
  }

  /// Returns the bytes in the memory as they are sent; nil if SRTP does not take them.
  private func protect(byteCount: Int, isRTCP: Bool) -> UnsafeRawBufferPointer? {
    do {
      return try protection.protect(memory, byteCount: byteCount, isRTCP: isRTCP)
    } catch {
      counters.failures += 1
      return nil
    }
  }

  private func take(_ datagram: UnsafeRawBufferPointer) {
    guard DatagramKind(datagram) == .rtcp, datagram.count <= memory.count else { return }
    hasHeardReceiver = true
    let bytes: UnsafeRawBufferPointer
    do {
      bytes = try protection.unprotect(datagram, in: memory, isRTCP: true)
    } catch {
      counters.refused += 1
      return
    }
    guard let news = try? feedback.receive(bytes, nowNanoseconds: clock.nowNanoseconds) else { return }
    if news.hasReport || news.hasRoundTrip { freshFeedback = LinkFeedback(feedback.report) }
    guard news.hasReport else { return }
    counters.reports += 1
    // Earlier failures are not a reason any more.
    lastError = nil
    counters.roundTripMilliseconds = feedback.report.roundTripNanoseconds.map { Double($0) / 1e6 }
  }
}
