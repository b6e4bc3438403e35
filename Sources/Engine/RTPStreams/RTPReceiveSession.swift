public import AudioGraph
public import NetworkIO
import Transport

/// Gives a `ReceiverSource` the RTP packets that another program sends, plain or with SRTP, and reports to it.
///
///     the other program ═▶ UDP ─▶ [SRTP] ─▶ ReceiverSource
///                       ◀═ receiver reports
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
  private var statistics = ReceptionStatistics()
  private var timer: RTCPTimer
  private var ssrc: UInt32?
  private var sender: SocketAddress?
  private var reportSender: SocketAddress?
  private let ownSSRC: UInt32
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: UDPSocket.maximumByteCount, alignment: 16)
  private let name: [UInt8]

  private static let reportInterval = 5_000_000_000
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
    ownSSRC = random.next()
    name = Array("\(String(random.next(), radix: 36))@audiopipe".utf8)
    timer = RTCPTimer(
      rule: .fixed(nanoseconds: Self.reportInterval), nowNanoseconds: clock.nowNanoseconds,
      random: Double.random(in: 0..<1))
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
    if timer.expire(nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1)) { report() }
  }

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
      statistics = ReceptionStatistics()
      hasEnded = false
    }
    _ = statistics.receive(sequenceNumber: header.sequenceNumber, timestamp: header.timestamp, arrivalNanoseconds: now)
    source.receive(bytes, arrivalNanoseconds: now)
  }

  private func takeReports(_ bytes: UnsafeRawBufferPointer, now: Int) {
    guard var reader = try? RTCPReader(bytes) else {
      counters.strays += 1
      return
    }
    while let packet = reader.next() {
      if let report = try? packet.senderReport(), report.ssrc == ssrc {
        statistics.receive(report, arrivalNanoseconds: now)
      }
      if case .goodbye = packet.type {
        for index in 0..<packet.count where (try? packet.leavingSSRC(index)) == ssrc { hasEnded = true }
      }
    }
  }

  private func report() {
    timer.sent(byteCount: 100, nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1))
    // Reports would need a key of their own direction.
    guard protection == nil, let ssrc, let sender else { return }
    var writer = RTCPWriter(into: memory)
    do {
      try writer.appendReceiverReport(ssrc: ownSSRC)
      try writer.append(statistics.makeReportBlock(ssrc: ssrc, nowNanoseconds: clock.nowNanoseconds))
      try name.withUnsafeBytes { try writer.appendCanonicalName($0, ssrc: ownSSRC) }
    } catch {
      return
    }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<writer.byteCount])
    // To where the sender's own reports come from, or to where its packets do.
    (reportSender == nil ? socket : reportSocket ?? socket).send(bytes, to: reportSender ?? sender)
  }
}
