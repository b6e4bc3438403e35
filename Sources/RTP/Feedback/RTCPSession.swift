/// Local side of RTCP with one remote party. It reports how packets arrive, requests missing packets, and learns how
/// local packets arrive.
///
///     RTP in  ─▶ receive(header) ─▶ stream, retransmission?           RTP out ─▶ sent(...)
///     RTCP in ─▶ receive(datagram) ─▶ report, requests, BYE           write ─▶ RTCP out, when it is due
///
/// A state machine: it reads no clock, and time never goes back. Its memory is allocated at initialization. Thread: one
/// at a time.
///
/// Source: RFC 3550, section 6; RFC 4585 for requests; RFC 3611 for the round trip of a party that sends nothing.
public struct RTCPSession: ~Copyable {
  /// Options of the session, with its present source.
  public private(set) var options: RTCPSessionOptions
  /// Retransmissions that the remote party has requested; the caller sends them.
  public var retransmissions: RetransmissionQueue
  private var stream: RemoteSource
  private var own: LocalSource
  private var timer: RTCPTimer
  private var budget: RTCPBudget
  private var roundTripMeter = RoundTripMeter()
  private var newest = LatestReportBlock()
  /// Report block of the datagram that is being processed; nil without one.
  private var freshBlock: ReportBlock?
  private var reportsReceived = 0
  private var watch = DeliveryMonitor()
  /// Reference time of the remote party, to be answered, and its arrival; nil without one.
  private var named: (ssrc: UInt32, reference: UInt32, nanoseconds: Int)?
  /// Bytes of the headers of UDP and IP.
  private static var headerByteCount: Int { @_noLocks get { 28 } }
  private let asks: Bool
  private let name: UnsafeMutableRawBufferPointer

  /// Creates a session that begins now.
  ///
  /// - Parameters:
  ///   - options: options of the session.
  ///   - nowNanoseconds: present time.
  ///   - random: number of 0..<1 from the caller's generator, here and in `write`.
  public init(_ options: RTCPSessionOptions, nowNanoseconds: Int, random: Double) {
    self.options = options
    asks = options.nack != nil
    own = LocalSource(clockRate: options.clockRate)
    stream = RemoteSource(policy: options.nack ?? NackPolicy(), clockRate: options.clockRate)
    retransmissions = RetransmissionQueue(bitsPerSecond: options.resendBitsPerSecond)
    timer = RTCPTimer(
      rule: .fixed(nanoseconds: options.reportNanoseconds), nowNanoseconds: nowNanoseconds, random: random)
    // Half of the twentieth of the two parties.
    budget = RTCPBudget(bytesPerSecond: options.sessionBitsPerSecond / (8 * 20 * 2), nowNanoseconds: nowNanoseconds)
    name = .allocate(byteCount: min(255, options.name.utf8.count), alignment: 1)
    name.copyBytes(from: options.name.utf8.prefix(255))
  }

  deinit { name.deallocate() }

  /// Notes a local packet, except a retransmission. Real-time: wait-free.
  @_noLocks
  public mutating func sent(_ header: RTPHeader, payloadByteCount: Int, nowNanoseconds: Int) {
    own.sent(timestamp: header.timestamp, payloadByteCount: payloadByteCount, nowNanoseconds: nowNanoseconds)
    watch.sent(header.sequenceNumber, nowNanoseconds: nowNanoseconds)
  }

  /// Notes that local packets are refused, for want of a listener or a route, or do not even leave. Real-time:
  /// wait-free.
  @_noLocks
  public mutating func refused(nowNanoseconds: Int) { watch.refused(nowNanoseconds: nowNanoseconds) }

  /// Returns the delivery of local packets, if it is new: after each report, and once an interval of reports while
  /// nobody hears them or nothing comes back. Real-time: wait-free.
  @_noLocks
  public mutating func takeDelivery(nowNanoseconds: Int) -> DeliveryReport? {
    watch.take(roundTripNanoseconds: roundTrip, nowNanoseconds: nowNanoseconds)
  }

  /// Notes a packet that has arrived, and classifies it. Real-time: wait-free.
  ///
  /// Only packets of the stream count. Packets without sound for the listener go to `receiveSoundless`.
  ///
  /// - Parameters:
  ///   - header: header of the packet.
  ///   - announcesPause: whether the packet announces that nothing is to be heard for a while.
  ///   - nowNanoseconds: time of arrival.
  @_noLocks
  public mutating func receive(
    _ header: RTPHeader, announcesPause: Bool = false, nowNanoseconds: Int
  ) -> PacketClassification {
    receive(header, .sound(announcesPause: announcesPause), nowNanoseconds)
  }

  /// Notes a packet without sound, such as a key press or comfort noise, or one that cannot be decoded. It counts as
  /// received if it has a number of the stream's source; it begins no stream. Real-time: wait-free.
  @_noLocks
  public mutating func receiveSoundless(_ header: RTPHeader, nowNanoseconds: Int) -> PacketClassification {
    receive(header, .soundless, nowNanoseconds)
  }

  @_noLocks
  private mutating func receive(_ header: RTPHeader, _ kind: PacketKind, _ now: Int) -> PacketClassification {
    let classification = stream.receive(header, kind, roundTripNanoseconds: roundTrip, nowNanoseconds: now)
    if case .unknownSource = classification.decision { return classification }
    watch.heardPacket(nowNanoseconds: now)
    return classification
  }

  /// Takes an RTCP datagram. Real-time: wait-free.
  ///
  /// - Returns: News in the datagram.
  /// - Throws: `RTCPError` if the datagram is not RTCP.
  @_noLocks
  public mutating func receive(_ datagram: UnsafeRawBufferPointer, nowNanoseconds: Int) throws(RTCPError) -> News {
    var reader = try RTCPReader(datagram)
    var news = News()
    timer.received(byteCount: datagram.count &+ RTCPSession.headerByteCount)
    var isFirst = true
    while let packet = reader.next() {
      if isFirst { news.isFromSource = isFromSource(packet) }
      isFirst = false
      // A malformed packet is ignored; the others remain valid.
      do throws(RTCPError) { try take(packet, &news, now: nowNanoseconds) } catch { continue }
    }
    if let fresh = freshBlock {
      watch.take(fresh, roundTripNanoseconds: roundTrip, nowNanoseconds: nowNanoseconds)
      freshBlock = nil
    }
    return news
  }

  /// Writes a datagram if a report or a request is due. Memory of 512 bytes is enough.
  ///
  /// Real-time: wait-free.
  ///
  /// Requests wait while RTCP has had its share of the session's bandwidth.
  ///
  /// - Parameters:
  ///   - memory: memory for the datagram.
  ///   - targetDelayNanoseconds: delay of packets at the receiver; a packet that cannot arrive within it is not
  ///     requested.
  ///   - playout: playout position of the receiver; packets before it are not requested. nil if unknown.
  ///   - nowNanoseconds: present time.
  ///   - random: number of 0..<1 from the caller's generator.
  /// - Returns: Bytes of the datagram; 0 if nothing is due.
  @_noLocks
  public mutating func write(
    into memory: UnsafeMutableRawBufferPointer, targetDelayNanoseconds: Int, playout: PlayoutPosition? = nil,
    nowNanoseconds: Int, random: Double
  ) -> Int {
    if let playout { stream.pass(playout) }
    let isReportDue = timer.expire(nowNanoseconds: nowNanoseconds, random: random)
    var pair: NackPair?
    if budget.nextNanoseconds <= nowNanoseconds { pair = nextPair(targetDelayNanoseconds, now: nowNanoseconds) }
    var isRequestDue = false
    if case .some = pair { isRequestDue = true }
    guard isReportDue || isRequestDue else { return 0 }
    var writer = RTCPWriter(into: memory)
    do throws(RTCPError) {
      if isReportDue {
        try appendReport(&writer, now: nowNanoseconds)
      } else if !options.usesReducedSizeRTCP {
        try writer.appendReceiverReport(ssrc: options.ssrc)
        try writer.appendCanonicalName(UnsafeRawBufferPointer(name), ssrc: options.ssrc)
      }
      if let first = pair, let media = stream.ssrc {
        try writer.appendNack(senderSSRC: options.ssrc, mediaSSRC: media, first)
        pair = nextPair(targetDelayNanoseconds, now: nowNanoseconds)
        while let next = pair {
          try writer.append(next)
          pair = nextPair(targetDelayNanoseconds, now: nowNanoseconds)
        }
      }
    } catch {
      // Requests that do not fit are repeated later.
    }
    let count = writer.byteCount &+ RTCPSession.headerByteCount
    budget.spend(byteCount: count, nowNanoseconds: nowNanoseconds)
    if isReportDue { timer.sent(byteCount: count, nowNanoseconds: nowNanoseconds, random: random) }
    return writer.byteCount
  }

  /// Writes a last report and a BYE. Real-time: wait-free.
  ///
  /// - Returns: Bytes of the datagram; 0 if the memory is too short.
  @_noLocks
  public mutating func writeBye(into memory: UnsafeMutableRawBufferPointer, nowNanoseconds: Int) -> Int {
    var writer = RTCPWriter(into: memory)
    do throws(RTCPError) {
      try appendReport(&writer, now: nowNanoseconds)
      try writer.appendBye(ssrc: options.ssrc)
    } catch {
      return 0
    }
    return writer.byteCount
  }

  /// Returns the time at which `write` may have something to send. Real-time: wait-free.
  @_noLocks
  public func nextDeadlineNanoseconds(targetDelayNanoseconds: Int) -> Int {
    guard asks,
      let due = stream.missing.nextDeadlineNanoseconds(
        roundTripNanoseconds: roundTrip, targetDelayNanoseconds: targetDelayNanoseconds)
    else { return timer.deadlineNanoseconds }
    let request = due > budget.nextNanoseconds ? due : budget.nextNanoseconds
    return request < timer.deadlineNanoseconds ? request : timer.deadlineNanoseconds
  }

  /// State of the session so far. Real-time: wait-free.
  public var report: RTCPSessionReport {
    @_noLocks get {
      var report = RTCPSessionReport()
      report.roundTripNanoseconds = roundTrip
      report.reportsReceived = reportsReceived
      if let block = newest.block {
        report.remoteJitterNanoseconds = own.nanoseconds(Int(block.jitter))
      }
      report.delivery = watch.delivery
      report.remotePacketsLost = watch.lostCount
      report.packetsLost = stream.statistics.lostCount
      report.jitterNanoseconds = own.nanoseconds(Int(stream.statistics.jitter))
      report.missing = stream.missing.counters
      report.retransmissions = retransmissions.counters
      report.hasLeft = stream.hasLeft
      return report
    }
  }

  /// Changes the local source, because another party uses the same one. Packets sent under the old source no longer
  /// count as local. Real-time: wait-free. Source: RFC 3550, section 8.2.
  @_noLocks
  public mutating func changeSSRC(to ssrc: UInt32) {
    options.ssrc = ssrc
    own = LocalSource(clockRate: options.clockRate)
    watch.reset()
    newest = LatestReportBlock()
  }

  private var roundTrip: Int? { @_noLocks get { roundTripMeter.nanoseconds } }

  @_noLocks
  private func isFromSource(_ packet: RTCPPacketView) -> Bool {
    guard let ssrc = stream.ssrc else { return false }
    do throws(RTCPError) { return try packet.senderSSRC() == ssrc } catch { return false }
  }

  @_noLocks
  private mutating func nextPair(_ targetDelay: Int, now: Int) -> NackPair? {
    guard asks else { return nil }
    return stream.missing.nextPair(
      nowNanoseconds: now, roundTripNanoseconds: roundTrip, targetDelayNanoseconds: targetDelay)
  }

  @_noLocks
  private mutating func appendReport(_ writer: inout RTCPWriter, now: Int) throws(RTCPError) {
    let ntp = NTPTimestamp(nanoseconds: now &+ options.calendarNanoseconds)
    let isSending = own.isSending
    if let report = own.makeReport(ssrc: options.ssrc, ntp: ntp, now: now) {
      try writer.append(report)
    } else {
      try writer.appendReceiverReport(ssrc: options.ssrc)
    }
    if let ssrc = stream.ssrc, stream.statistics.receivedCount > 0 {
      try writer.append(stream.statistics.makeReportBlock(ssrc: ssrc, nowNanoseconds: now))
    }
    try writer.appendCanonicalName(UnsafeRawBufferPointer(name), ssrc: options.ssrc)
    // A sender learns the round trip from reports about its packets.
    if !isSending { try writer.appendReceiverReference(ssrc: options.ssrc, ntp) }
    if let named {
      try writer.append(
        ReceiverReferenceTime(
          ssrc: named.ssrc, reference: named.reference,
          delay: NTPTimestamp.middle32(ofNanoseconds: now &- named.nanoseconds)),
        ssrc: options.ssrc)
      self.named = nil
    }
  }

  @_noLocks
  private mutating func take(_ packet: RTCPPacketView, _ news: inout News, now: Int) throws(RTCPError) {
    // A local packet that has come back, or another party's with the same source, belongs to no distinguishable party.
    guard try packet.senderSSRC() != options.ssrc else { return }
    let arrival = NTPTimestamp(nanoseconds: now &+ options.calendarNanoseconds)
    switch packet.type {
    case .senderReport, .receiverReport:
      watch.heardReport(nowNanoseconds: now)
      if case .senderReport = packet.type {
        let report = try packet.senderReport()
        if report.ssrc == stream.ssrc { stream.statistics.receive(report, arrivalNanoseconds: now) }
      }
      for index in 0..<packet.count {
        let block = try packet.reportBlock(index)
        guard block.ssrc == options.ssrc, newest.take(block, nowNanoseconds: now) else { continue }
        reportsReceived = reportsReceived &+ 1
        news.hasReport = true
        if let sample = block.roundTripNanoseconds(arrival: arrival) {
          roundTripMeter.add(sample)
          news.hasRoundTrip = true
        }
        freshBlock = block
      }
    case .extendedReport:
      if let time = try packet.receiverReferenceTime() {
        named = (try packet.senderSSRC(), time.middle32, now)
      }
      if let answer = try packet.receiverReferenceTime(answering: options.ssrc), answer.reference != 0 {
        roundTripMeter.add(answer.roundTripNanoseconds(arrival: arrival))
        news.hasRoundTrip = true
      }
    case .bye:
      for index in 0..<packet.count where try packet.leavingSSRC(index) == stream.ssrc {
        stream.receiveBye()
        news.hasLeft = true
      }
    case .transportFeedback:
      guard packet.isNack, try packet.nackedSSRC() == options.ssrc else { return }
      for index in 0..<(try packet.nackPairCount()) {
        retransmissions.ask(try packet.nackPair(index), nowNanoseconds: now, roundTripNanoseconds: roundTrip)
      }
    default: break
    }
  }
}
