import RTP
import Signalling

/// Packets of the local user: each leaves at its time, and is kept for retransmission.
///
///     push ─▶ packets of 2 s ─▶ RTP ─▶ protect ─▶ network
///                                         └─▶ cache ◀─ NACK of the relay
///
/// Packets that are pushed ahead of time wait, so that a program may push 2 s at once. If the program is late, time
/// continues with its next packet.
///
/// A state machine: it reads no clock. Thread: one at a time.
struct EncodedSender: ~Copyable {
  private struct Waiting {
    let payload: [UInt8]
    let timestamp: Int
    let samplesPerChannel: Int
    let level: AudioLevel?
  }

  /// Packets that were sent.
  private(set) var sentCount = 0
  private var queue: [Waiting] = []
  /// First entry of `queue` that waits.
  private var first = 0
  private var endTimestamp: Int?
  /// Timestamp here of timestamp 0 of the packets that are forwarded; nil before the first.
  private var forwardedOrigin: Int?
  /// Time at which the sample of a timestamp is due; nil before the first packet.
  private var anchor: (timestamp: Int, nanoseconds: Int)?
  /// End of the newest packet that was due; nil before the first.
  private var sentEnd: Int?
  private var sequenceNumber: UInt16
  private let firstTimestamp: UInt32
  private var session: RTCPSession?
  private var kept = RetransmissionCache(capacity: 32)
  private let calendarNanoseconds: Int

  /// Samples of the packets that may wait.
  static let longestQueue = 2 * OpusRTP.clockRate
  /// Latest timestamp: 46 years, whose time in nanoseconds does not overflow.
  private static let latestTimestamp = 1 << 46
  /// Longest packet in bytes.
  static let longestPayload = 1_275
  /// Time by which a packet may be late before its lateness is the time of those behind it, too.
  private static let lateNanoseconds = 100_000_000

  /// - Parameter calendarNanoseconds: Calendar time (NTP, nanoseconds since 1900) at 0 of the clock.
  init(calendarNanoseconds: Int, random: inout any RandomNumberGenerator) {
    self.calendarNanoseconds = calendarNanoseconds
    sequenceNumber = UInt16(truncatingIfNeeded: random.next()) & 0x7FFF
    firstTimestamp = UInt32(truncatingIfNeeded: random.next())
  }

  /// Packets that wait.
  var queuedCount: Int { queue.count - first }

  /// Queues a packet.
  mutating func push(_ payload: [UInt8], timestamp: Int, level: AudioLevel?) throws(EncodedPacketError) {
    guard payload.count <= Self.longestPayload else { throw .tooLong(byteCount: payload.count) }
    let format = try payload.withUnsafeBytes { bytes -> Result<OpusPayload, OpusPayloadError> in
      do throws(OpusPayloadError) { return .success(try OpusPayload(parsing: bytes)) } catch { return .failure(error) }
    }.mapError(EncodedPacketError.payload).get()
    guard (0...Self.latestTimestamp).contains(timestamp) else { throw .timestampRange(timestamp) }
    if let endTimestamp, timestamp < endTimestamp { throw .timestamp(timestamp, earliest: endTimestamp) }
    if first < queue.count, timestamp + format.samplesPerChannel - queue[first].timestamp > Self.longestQueue {
      throw .full
    }
    endTimestamp = timestamp + format.samplesPerChannel
    queue.append(
      Waiting(payload: payload, timestamp: timestamp, samplesPerChannel: format.samplesPerChannel, level: level))
  }

  /// Queues a packet of another channel: it keeps its distance to the packet before, and follows at once behind a
  /// restart.
  mutating func forward(_ packet: EncodedPacket) throws(EncodedPacketError) {
    let origin = packet.isRestart ? nil : forwardedOrigin
    let timestamp = origin.map { $0 + packet.timestamp } ?? endTimestamp ?? 0
    try push(packet.payload, timestamp: timestamp, level: packet.level)
    forwardedOrigin = timestamp - packet.timestamp
  }

  /// Drops the packets that wait.
  ///
  /// - Returns: Timestamp of the first sample that was not sent; nil if none waited.
  mutating func clear() -> Int? {
    guard first < queue.count else { return nil }
    let timestamp = queue[first].timestamp
    (queue, first) = ([], 0)
    // The program may continue there.
    endTimestamp = timestamp
    return timestamp
  }

  /// Returns the time of the next `pump`; `Int.max` if none is needed.
  ///
  /// - Parameter canSend: Whether the channel takes packets now. Before that, nothing is due; later, packets whose time
  ///   has come are dropped.
  func nextDeadlineNanoseconds(canSend: Bool) -> Int {
    var next = Int.max
    // A source that has sent nothing has nothing to report.
    if canSend, sentCount > 0 { next = session?.nextDeadlineNanoseconds(targetDelayNanoseconds: 0) ?? .max }
    guard first < queue.count else { return next }
    return min(next, anchor.map { Self.due(queue[first].timestamp, $0) } ?? (canSend ? .min : .max))
  }

  /// Takes a decrypted datagram of RTCP.
  mutating func receive(reports datagram: UnsafeRawBufferPointer, _ now: Int) {
    _ = try? session?.receive(datagram, nowNanoseconds: now)
  }

  /// Sends the packets that are due, those that were requested, and a report if one is due.
  ///
  /// - Parameters:
  ///   - ssrc: Source of the packets; nil while nothing can be sent.
  ///   - memory: Memory for a datagram, of 2,048 bytes.
  ///   - random: Number of 0..<1.
  ///   - protect: Encrypts the first bytes of the memory.
  ///   - send: Sends a datagram.
  mutating func pump(
    _ now: Int, ssrc: UInt32?, random: Double, memory: UnsafeMutableRawBufferPointer,
    protect: (_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer?, send: (UnsafeRawBufferPointer) -> Void
  ) {
    if let ssrc { begin(ssrc, now, random) }
    // The first packet waits for the channel.
    if ssrc != nil || anchor != nil { sendDue(now, ssrc, memory, protect, send) }
    guard ssrc != nil else { return }
    while let packet = session!.retransmissions.next(from: kept, nowNanoseconds: now) { send(packet) }
    guard sentCount > 0 else { return }
    let count = session!.write(into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: random)
    if count > 0, let report = protect(count, true) { send(report) }
  }

  // MARK: Private

  private static func due(_ timestamp: Int, _ anchor: (timestamp: Int, nanoseconds: Int)) -> Int {
    anchor.nanoseconds + (timestamp - anchor.timestamp) * 62_500 / 3
  }

  /// Begins a session for another source. Numbers continue.
  private mutating func begin(_ ssrc: UInt32, _ now: Int, _ random: Double) {
    guard session?.options.ssrc != ssrc else { return }
    let options = RTCPSessionOptions(
      ssrc: ssrc, name: "encoded@audiopipe", nack: nil, calendarNanoseconds: calendarNanoseconds)
    session = RTCPSession(options, nowNanoseconds: now, random: random)
  }

  private mutating func sendDue(
    _ now: Int, _ ssrc: UInt32?, _ memory: UnsafeMutableRawBufferPointer,
    _ protect: (_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer?, _ send: (UnsafeRawBufferPointer) -> Void
  ) {
    while first < queue.count {
      let packet = queue[first]
      let due = anchor.map { Self.due(packet.timestamp, $0) } ?? now
      guard due <= now else { return }
      if anchor == nil || now - due > Self.lateNanoseconds { anchor = (packet.timestamp, now) }
      first += 1
      if first == queue.count { (queue, first) = ([], 0) }
      let isFirst = sentEnd != packet.timestamp
      sentEnd = packet.timestamp + packet.samplesPerChannel
      if let ssrc, transmit(packet, isFirst, ssrc, now, memory, protect, send) { sentCount += 1 }
      sequenceNumber &+= 1
    }
  }

  /// - Returns: Whether the packet was sent.
  private mutating func transmit(
    _ packet: Waiting, _ isFirst: Bool, _ ssrc: UInt32, _ now: Int, _ memory: UnsafeMutableRawBufferPointer,
    _ protect: (_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer?, _ send: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    let header = RTPHeader(
      marker: isFirst, payloadType: WireConventions.opusPayloadType, sequenceNumber: sequenceNumber,
      timestamp: firstTimestamp &+ UInt32(truncatingIfNeeded: packet.timestamp), ssrc: ssrc)
    let start: Int
    do throws(RTPError) {
      var writer = try RTPPacketWriter(header, into: memory)
      if let level = packet.level {
        try writer.append(level, identifier: WireConventions.audioLevelIdentifier)
      }
      start = try writer.endHeader()
    } catch {
      return false
    }
    UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(from: packet.payload)
    guard let datagram = protect(start + packet.payload.count, false) else { return false }
    kept.insert(datagram, sequenceNumber: sequenceNumber, nowNanoseconds: now)
    session?.sent(header, payloadByteCount: packet.payload.count, nowNanoseconds: now)
    send(datagram)
    return true
  }
}
