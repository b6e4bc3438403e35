public import AudioGraph
import Glibc
public import NetworkIO
import Transport

/// Sends what a `PacketSender` makes to another program over UDP, plain or with SRTP, and listens to its reports.
///
///     PacketSender ─▶ [SRTP] ─▶ UDP ═▶ the other program
///                                 ◀═ receiver reports ─▶ SenderControl ─▶ PacketSender
///
/// RTCP goes to the next port, or to the same with `sharesPort` (RFC 5761). Reports are taken from either.
///
/// Thread: one at a time.
public final class RTPSendSession {
  /// What has been sent and heard.
  public struct Counters: Hashable, Sendable {
    /// RTP packets sent.
    public var packets = 0
    /// Bytes of their payloads.
    public var payloadBytes = 0
    /// Packets that the system or SRTP did not take.
    public var failures = 0
    /// Reports of the receiver that came.
    public var reports = 0
    /// The loss that the last one told of, 0...1.
    public var fractionLost = 0.0
    /// The time there and back as of the last report, in milliseconds; nil before it is known.
    public var roundTripMilliseconds: Double?
  }

  /// What has been sent and heard so far.
  public private(set) var counters = Counters()
  /// Where it sends from.
  public var localAddress: SocketAddress { socket.localAddress }

  private let sender: PacketSender
  private let socket: UDPSocket
  private let target: SocketAddress
  private let reportTarget: SocketAddress
  private let clock: any EngineClock
  private var control: SenderControl?
  private let protection: PacketProtection?
  private var timer: RTCPTimer
  private var random = SystemRandomNumberGenerator()
  /// The last packet's timestamp and when it was made, so that reports can say which moment it means.
  private var latest: (timestamp: UInt32, nanoseconds: Int)?
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
  private let name: [UInt8]

  private static let reportInterval = 5_000_000_000

  /// - Parameters:
  ///   - adapts: whether the receiver's reports change bitrate, FEC and the packets' length.
  ///   - protection: of an outbound session; nil for plain RTP.
  /// - Throws: `NetworkError`.
  public init(
    _ sender: PacketSender, to target: SocketAddress, sharesPort: Bool = false, adapts: Bool = true,
    protection: PacketProtection? = nil, clock: any EngineClock = SystemClock()
  ) throws {
    self.sender = sender
    self.target = target
    self.clock = clock
    reportTarget = sharesPort || target.port == .max ? target : target.withPort(target.port + 1)
    socket = try UDPSocket(at: try SocketAddress(target.isIPv6 ? "[::]:0" : ":0"))
    self.protection = protection
    if adapts, case .opus(let options) = sender.options.codec {
      control = SenderControl(options)
    } else {
      control = nil
    }
    timer = RTCPTimer(
      rule: .fixed(nanoseconds: Self.reportInterval), nowNanoseconds: clock.nowNanoseconds,
      random: Double.random(in: 0..<1))
    // RFC 7022: a name that says nothing of its owner.
    name = Array("\(String(random.next(), radix: 36))@audiopipe".utf8)
  }

  deinit { memory.deallocate() }

  /// Sends the packets that wait and a report when one is due, and takes in what has come.
  public func pump() {
    while sender.next({ bytes, time in
      if let header = try? RTPHeader(parsing: bytes) { latest = (header.timestamp, time) }
      send(bytes, isRTCP: false)
    }) {}
    if timer.expire(nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1)) { report(isLast: false) }
    while socket.receive({ bytes, _ in take(bytes) }) != nil {}
  }

  /// Says that nothing will follow.
  public func finish() {
    pump()
    report(isLast: true)
  }

  private func send(_ bytes: UnsafeRawBufferPointer, isRTCP: Bool) {
    guard bytes.count + 64 <= memory.count else {
      counters.failures += 1
      return
    }
    if bytes.baseAddress != UnsafeRawPointer(memory.baseAddress!) { memory.copyMemory(from: bytes) }
    var count = bytes.count
    do {
      if let protection { count = try protection.protect(memory, byteCount: count, isRTCP: isRTCP) }
    } catch {
      counters.failures += 1
      return
    }
    let isSent = socket.send(
      UnsafeRawBufferPointer(rebasing: memory[..<count]), to: isRTCP ? reportTarget : target)
    if !isSent {
      counters.failures += 1
    } else if !isRTCP {
      counters.packets += 1
      counters.payloadBytes += bytes.count - RTPHeader.byteCount
    }
  }

  private func report(isLast: Bool) {
    let now = clock.nowNanoseconds
    var calendar = timespec()
    clock_gettime(CLOCK_REALTIME, &calendar)
    let ntp = NTPTimestamp(
      nanoseconds: (calendar.tv_sec + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 + calendar.tv_nsec)
    let ssrc = sender.options.ssrc
    let elapsed = latest.map { (now - $0.nanoseconds) / 1_000 * 48 / 1_000 } ?? 0
    var writer = RTCPWriter(into: memory)
    do {
      try writer.append(
        SenderReport(
          ssrc: ssrc, ntp: ntp,
          rtpTimestamp: (latest?.timestamp ?? sender.options.firstTimestamp)
            &+ UInt32(truncatingIfNeeded: elapsed),
          packetCount: UInt32(truncatingIfNeeded: counters.packets),
          octetCount: UInt32(truncatingIfNeeded: counters.payloadBytes)))
      try name.withUnsafeBytes { try writer.appendCanonicalName($0, ssrc: ssrc) }
      if isLast { try writer.appendGoodbye(ssrc: ssrc) }
    } catch {
      counters.failures += 1
      return
    }
    send(UnsafeRawBufferPointer(rebasing: memory[..<writer.byteCount]), isRTCP: true)
    timer.sent(byteCount: writer.byteCount + 28, nowNanoseconds: now, random: Double.random(in: 0..<1))
  }

  /// The other side's reports are plain, as far as can be told: keys are for one direction.
  private func take(_ bytes: UnsafeRawBufferPointer) {
    guard protection == nil, DatagramKind(bytes) == .rtcp, var reader = try? RTCPReader(bytes) else { return }
    while let packet = reader.next() {
      for index in 0..<packet.count {
        guard let block = try? packet.reportBlock(index), block.ssrc == sender.options.ssrc else { continue }
        counters.reports += 1
        counters.fractionLost = Double(block.fractionLost) / 256
        var calendar = timespec()
        clock_gettime(CLOCK_REALTIME, &calendar)
        let arrival = NTPTimestamp(
          nanoseconds: (calendar.tv_sec + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 + calendar.tv_nsec)
        counters.roundTripMilliseconds = block.roundTripNanoseconds(arrival: arrival).map { Double($0) / 1e6 }
        if control?.receive(fractionLost: block.fractionLost) == true { try? sender.set(control!.options) }
      }
    }
  }
}
