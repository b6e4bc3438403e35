public import AudioGraph
public import NetworkIO
public import Transport

/// Gives a `ReceiverSource` the RTP packets that another program sends, plain or with SRTP, and reports to it.
///
///     the other program ═▶ UDP ─▶ [SRTP] ─▶ ReceiverSource
///                       ◀═ receiver reports, requests for lost packets
///
/// Lost packets are asked for where the round trip allows it, which is known once the other program has answered an extended
/// report (RFC 3611); one that knows nothing of that is never asked.
///
/// RTCP is taken from the same port (RFC 5761) and, unless that is all, from the next one, where it is free.
///
/// Thread: one at a time.
public final class RTPReceiveSession {
  /// What has come.
  public struct Counters: Hashable, Sendable {
    /// RTP packets.
    public var packets = 0
    /// Datagrams that were neither RTP nor RTCP.
    public var strays = 0
    /// Datagrams that SRTP refused: another key, changed on the way, or repeated.
    public var refused = 0
  }

  /// What has come so far.
  public private(set) var counters = Counters()
  /// When the last RTP packet came, in nanoseconds of the clock; nil before the first.
  public private(set) var lastPacketNanoseconds: Int?
  /// True once the sender has said goodbye.
  public private(set) var hasEnded = false
  /// Where it listens.
  public var localAddress: SocketAddress { socket.localAddress }

  private let source: ReceiverSource
  private let socket: UDPSocket
  private let reportSocket: UDPSocket?
  private let clock: any EngineClock
  private let protection: PacketProtection?
  private var feedback: FeedbackSession
  private var ssrc: UInt32?
  private var sender: SocketAddress?
  private var reportSender: SocketAddress?
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: UDPSocket.maximumByteCount, alignment: 16)

  private static let longestBurst = 1_000

  /// - Parameter sharesPort: whether RTCP comes to the same port only.
  /// - Throws: `NetworkError` where the port cannot be listened on.
  public init(
    _ source: ReceiverSource, at address: SocketAddress, sharesPort: Bool = false, protection: PacketProtection? = nil,
    clock: any EngineClock = SystemClock()
  ) throws {
    self.source = source
    self.clock = clock
    socket = try UDPSocket(at: address)
    let port = socket.localAddress.port
    reportSocket = !sharesPort && port < .max ? try? UDPSocket(at: address.withPort(port + 1)) : nil
    self.protection = protection
    var random = SystemRandomNumberGenerator()
    feedback = FeedbackSession(
      FeedbackOptions(ssrc: random.next(), clock: clock), nowNanoseconds: clock.nowNanoseconds,
      random: Double.random(in: 0..<1, using: &random))
  }

  deinit { memory.deallocate() }

  /// Waits for datagrams, at most so long, takes in what has come, and reports when that is due.
  public func pump(atMostNanoseconds limit: Int) {
    UDPSocket.wait(for: [socket] + (reportSocket.map { [$0] } ?? []), atMostNanoseconds: limit)
    // Bounded, so that a flood does not keep the caller here.
    for _ in 0..<Self.longestBurst where socket.receive({ take($0, from: $1) }) == nil { break }
    if let reportSocket {
      for _ in 0..<Self.longestBurst where reportSocket.receive({ take($0, from: $1) }) == nil { break }
    }
    answer()
  }

  /// What is known of the stream by packets and reports: loss, jitter, round trip, what was asked for and came.
  public var report: FeedbackReport { feedback.report }

  private func take(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress) {
    let now = clock.nowNanoseconds
    let kind = DatagramKind(datagram)
    guard kind == .rtp || kind == .rtcp else {
      counters.strays += 1
      return
    }
    memory.copyMemory(from: datagram)
    var count = datagram.count
    do {
      if let protection { count = try protection.unprotect(memory, byteCount: count, isRTCP: kind == .rtcp) }
    } catch {
      counters.refused += 1
      return
    }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
    if kind == .rtcp {
      reportSender = address
      return takeReports(bytes, now: now)
    }
    guard let header = try? RTPHeader(parsing: bytes) else {
      counters.strays += 1
      return
    }
    counters.packets += 1
    lastPacketNanoseconds = now
    sender = address
    if header.ssrc != ssrc {
      ssrc = header.ssrc
      hasEnded = false
    }
    source.receive(bytes, arrivalNanoseconds: now, origin: feedback.receive(header, nowNanoseconds: now))
  }

  private func takeReports(_ bytes: UnsafeRawBufferPointer, now: Int) {
    guard let news = try? feedback.receive(bytes, nowNanoseconds: now) else {
      counters.strays += 1
      return
    }
    if news.hasLeft { hasEnded = true }
  }

  /// Sends the report or the request that is due.
  private func answer() {
    // Reports would need a key of their own direction.
    guard protection == nil, let sender else { return }
    let count = feedback.write(
      into: memory, targetDelayNanoseconds: source.newestReport.targetDelayNanoseconds,
      nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1))
    guard count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
    // To where the sender's own reports come from, or to where its packets do.
    (reportSender == nil ? socket : reportSocket ?? socket).send(bytes, to: reportSender ?? sender)
  }
}
