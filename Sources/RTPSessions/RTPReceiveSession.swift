public import AudioGraph
public import MediaStreams
import NetworkIO
public import RTP
import SRTP

/// Gives an `RTPSource` the RTP packets that another program sends, plain or with SRTP, and reports to that program.
///
///     the other program ═▶ UDP ─▶ [SRTP] ─▶ which stream? ─▶ RTPSource
///                       ◀═ [SRTP] ◀═ receiver reports, requests for lost packets
///
/// Lost packets are requested if the round trip allows it, which is known once the other program has answered an
/// extended report (RFC 3611). A program that does not support that report gets no requests. Only packets of the
/// received stream count, and only its sender is answered: another source at the same port changes nothing.
///
/// RTCP is taken from the same port (RFC 5761). Unless that is all, it is also taken from the next port, if that is
/// free, or from the agreed address (RFC 3605). A group's address is joined.
///
/// Thread: one at a time.
public final class RTPReceiveSession {
  /// Counters of a receive session.
  public struct Counters: Hashable, Sendable {
    /// RTP packets of the stream.
    public var packets = 0
    /// Packets that found no free slot, since too many came at once, or are longer than 1500 bytes. The receiver takes
    /// those of its stream for lost.
    public var overflowed = 0
    /// Packets that found no free slot because they are longer than 1500 bytes.
    public var oversized = 0
    /// RTP packets of the stream that hold nothing to decode, such as key presses and comfort noise. They are not lost.
    public var soundless = 0
    /// RTP packets of another source, or, before there is one, packets not in the stream's payload type.
    public var foreign = 0
    /// Number of foreign packets for each payload type.
    public var foreignPayloadTypes: [UInt8: Int] = [:]
    /// Datagrams that do not belong to the stream: foreign packets, reports and BYEs of others while there is a stream,
    /// and datagrams that are neither RTP nor RTCP.
    public var unknownSources = 0
    /// Datagrams that SRTP refused: under another key or none, or changed on the path.
    public var refused = 0
    /// Datagrams that SRTP refused because they had come before. An answer that overtakes its packet makes one of the
    /// two a duplicate. SRTP cannot distinguish that from a forged packet, so the packet remains lost in reports.
    public var repeated = 0
    /// Number of times that a stream of another source has taken the place of the one before.
    public var sourceChanges = 0
  }

  /// Counters so far.
  public var counters: Counters {
    var counters = counted
    counters.overflowed = source.refusedPacketCount
    counters.oversized = source.oversizedPacketCount
    return counters
  }
  /// Time at which the last packet of the stream came, in nanoseconds of the clock; nil before the first.
  public private(set) var lastPacketNanoseconds: Int?
  /// Whether unprotected payloads make no sense as Opus: they are encrypted, or of another codec.
  public var isNoise: Bool { sense.isNoise }
  /// Whether the sender has said BYE.
  public private(set) var hasEnded = false
  /// Address that the session listens on: the group's, or its own.
  public let localAddress: SocketAddress
  /// Synchronization source of the session's reports; never the sender's own.
  public var ssrc: UInt32 { feedback.options.ssrc }

  private var counted = Counters()
  private var keys: KeyPressReader?
  private let source: RTPSource
  private let socket: UDPSocket
  /// Whether RTCP has a port. Without one, as if the next port is taken, lost packets are not requested.
  public let hasReportPort: Bool
  /// Socket of the packets and, if there is one, socket of the reports.
  /// The socket of the packets, and that of RTCP if it has its own.
  private let sockets: [UDPSocket]
  private let clock: any EngineClock
  private let protection: SRTPContextPair?
  private var feedback: RTCPSession
  private var freshFeedback: LinkFeedback?
  private var streamSSRC: UInt32?
  private var sense = PayloadSanityCheck()
  private var sender: SocketAddress?
  private var reportSender: SocketAddress?
  private var hasReported = false
  private var random: any RandomNumberGenerator
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: UDPSocket.maximumByteCount, alignment: 16)

  private static let longestBurst = 1_000
  private static let shortestWait = 1_000_000

  /// Creates a session that listens on an address.
  ///
  /// - Parameters:
  ///   - source: receives the packets of the stream.
  ///   - address: address to listen on.
  ///   - usesRTCPMux: whether RTCP comes to the same port only.
  ///   - reportAddress: address of RTCP, if not the next port.
  ///   - requests: policy for requests of lost packets of Opus; nil if none are sent.
  ///   - usesReducedSizeRTCP: whether a request may go without the report before it (RFC 5506).
  ///   - telephoneEvents: format of the stream's key presses; nil if there are none.
  ///   - ssrc: synchronization source of the reports; nil for a random one, as RFC 3550 wants it.
  ///   - protection: SRTP of both directions; nil for plain RTP.
  ///   - clock: clock of arrivals and reports.
  ///   - random: source of the random SSRC, of the spread of reports over time, and of the name in them.
  /// - Throws: `NetworkError` if the session cannot listen on the port.
  public init(
    _ source: RTPSource, at address: SocketAddress, usesRTCPMux: Bool = false,
    reportAddress: SocketAddress? = nil, requests: NackPolicy? = NackPolicy(), usesReducedSizeRTCP: Bool = false,
    telephoneEvents: TelephoneEventFormat? = nil, ssrc: UInt32? = nil, protection: SRTPContextPair? = nil,
    clock: any EngineClock = SystemClock(),
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws {
    var random = random
    self.source = source
    self.clock = clock
    keys = telephoneEvents.map(KeyPressReader.init)
    socket = try UDPSocket(at: address)
    let port = socket.localAddress.port
    localAddress = address.isMulticast ? address.withPort(port) : socket.localAddress
    let reportSocket: UDPSocket?
    if usesRTCPMux || reportAddress == address {
      reportSocket = nil
    } else if let reportAddress {
      reportSocket = try UDPSocket(at: reportAddress)
    } else {
      reportSocket = port < .max ? try? UDPSocket(at: address.withPort(port + 1)) : nil
    }
    hasReportPort = reportSocket != nil || usesRTCPMux || reportAddress == address
    sockets = [socket] + (reportSocket.map { [$0] } ?? [])
    self.protection = protection
    var options = RTCPSessionOptions(
      ssrc: ssrc ?? .random(in: 0 ... .max, using: &random), clockRate: source.options.codec.clockRate, clock: clock,
      using: &random)
    // Only packets of Opus are requested: for others, no sender keeps them.
    options.nack = source.options.codec == .opus || source.options.codec == .null ? requests : nil
    options.usesReducedSizeRTCP = usesReducedSizeRTCP
    feedback = RTCPSession(
      options, nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1, using: &random))
    self.random = random
  }

  deinit { memory.deallocate() }

  private var reportSocket: UDPSocket? { sockets.count > 1 ? sockets[1] : nil }

  /// Waits for datagrams, at most `limit` nanoseconds, takes those that have come, and reports if that is due.
  public func pump(atMostNanoseconds limit: Int) {
    UDPSocket.wait(for: sockets, atMostNanoseconds: min(limit, dueNanoseconds))
    // Bounded, so that a flood does not keep the caller here.
    for _ in 0..<Self.longestBurst where socket.receive({ take($0, from: $1) }) == nil { break }
    if let reportSocket {
      for _ in 0..<Self.longestBurst where reportSocket.receive({ take($0, from: $1) }) == nil { break }
    }
    answer()
  }

  /// Sends a BYE, if the session has reported to the sender before (RFC 3550, 6.3.7).
  public func finish() {
    guard hasReported, let sender else { return }
    send(byteCount: feedback.writeBye(into: memory, nowNanoseconds: clock.nowNanoseconds), to: sender)
  }

  /// Knowledge of the stream by packets and reports: loss, jitter, round trip, requested and received packets.
  public var report: RTCPSessionReport { feedback.report }

  /// Takes the news of the sender's reports since the last call, for `AudioPipeline.setLinkFeedback`; nil if there are
  /// none.
  public func takeLinkFeedback() -> LinkFeedback? {
    defer { freshFeedback = nil }
    return freshFeedback
  }

  /// Time until a report or a request is due, in nanoseconds.
  private var dueNanoseconds: Int {
    guard sender != nil else { return .max }
    let deadline = feedback.nextDeadlineNanoseconds(
      targetDelayNanoseconds: source.latestSnapshot.targetDelayNanoseconds)
    // A due request may wait for the receiver to report its position: never in a loop without a pause.
    return max(Self.shortestWait, deadline - clock.nowNanoseconds)
  }

  private func take(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress) {
    let now = clock.nowNanoseconds
    let kind = DatagramKind(datagram)
    guard kind == .rtp || kind == .rtcp else {
      counted.unknownSources += 1
      return
    }
    let bytes: UnsafeRawBufferPointer
    do {
      bytes = try protection.unprotect(datagram, in: memory, isRTCP: kind == .rtcp)
    } catch {
      if error == .replay { counted.repeated += 1 } else { counted.refused += 1 }
      return
    }
    if kind == .rtcp { takeReports(bytes, from: address, now: now) } else { takePacket(bytes, from: address, now: now) }
  }

  private func takePacket(_ bytes: UnsafeRawBufferPointer, from address: SocketAddress, now: Int) {
    switch source.take(bytes, arrivalNanoseconds: now, classifiedBy: &feedback) {
    case .oversized: return
    case .foreign(let header): return noteForeign(header)
    case .soundless:
      counted.soundless += 1
      keys?.receive(packet: bytes, nowNanoseconds: now)
    case .sound(let content, let classification, let earlier):
      switch classification.decision {
      case .unknownSource: return noteForeign(content.view.header)
      case .accepted: break
      case .begins: begin(content.view.header.ssrc)
      }
      counted.packets += 1
      if protection == nil, source.options.codec == .opus || source.options.codec == .null {
        sense.note(content.info, content.view)
      }
      for packet in earlier { packet.bytes.withUnsafeBytes { takeEarlier($0, arrival: packet.arrival) } }
    }
    lastPacketNanoseconds = now
    sender = address
  }

  /// Takes a packet that came before its source was received, and was counted as foreign.
  private func takeEarlier(_ packet: UnsafeRawBufferPointer, arrival: Int) {
    guard let header = try? RTPHeader(parsing: packet) else { return }
    counted.foreign -= 1
    counted.unknownSources -= 1
    counted.foreignPayloadTypes[header.payloadType, default: 0] -= 1
    switch source.take(packet, arrivalNanoseconds: arrival, classifiedBy: &feedback) {
    case .sound(_, let classification, _):
      if case .unknownSource = classification.decision { return noteForeign(header) }
      counted.packets += 1
    case .soundless:
      counted.soundless += 1
      keys?.receive(packet: packet, nowNanoseconds: arrival)
    case .foreign, .oversized: noteForeign(header)
    }
  }

  private func noteForeign(_ header: RTPHeader?) {
    counted.foreign += 1
    counted.unknownSources += 1
    if let header { counted.foreignPayloadTypes[header.payloadType, default: 0] += 1 }
  }

  /// Takes the key presses that are over and were not taken before; those of a key that is still pressed only with
  /// `isOver`.
  public func takeKeyPresses(isOver: Bool = false) -> [KeyPress] {
    (isOver ? keys?.takeAll() : keys?.take(nowNanoseconds: clock.nowNanoseconds)) ?? []
  }

  /// Starts a stream.
  private func begin(_ ssrc: UInt32) {
    hasEnded = false
    if let streamSSRC, streamSSRC != ssrc {
      counted.sourceChanges += 1
      reportSender = nil
    }
    streamSSRC = ssrc
    // Under one key, the same source twice would give the cipher away; and reports of the two could not be told apart.
    while feedback.options.ssrc == ssrc { feedback.changeSSRC(to: .random(in: 0 ... .max, using: &random)) }
  }

  private func takeReports(_ bytes: UnsafeRawBufferPointer, from address: SocketAddress, now: Int) {
    guard let news = try? feedback.receive(bytes, nowNanoseconds: now) else {
      counted.unknownSources += 1
      return
    }
    if news.isFromSource {
      reportSender = address
    } else if streamSSRC != nil {
      counted.unknownSources += 1
    }
    if news.hasReport || news.hasRoundTrip { freshFeedback = LinkFeedback(feedback.report) }
    if news.hasLeft { hasEnded = true }
  }

  /// Sends the report or the request that is due.
  private func answer() {
    // Before a packet has come, the target is not known, nor whether this session's source is the sender's.
    guard let sender else { return }
    let report = source.latestSnapshot
    let count = feedback.write(
      into: memory, targetDelayNanoseconds: report.targetDelayNanoseconds, playout: report.playout,
      nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1, using: &random))
    send(byteCount: count, to: sender)
  }

  private func send(byteCount count: Int, to sender: SocketAddress) {
    guard count > 0, let bytes = try? protection.protect(memory, byteCount: count, isRTCP: true) else { return }
    hasReported = true
    // The target is the origin of the sender's own reports, or that of its packets.
    (reportSender == nil ? socket : reportSocket ?? socket).send(bytes, to: reportSender ?? sender)
  }
}
