package import Platform
package import RTP

/// The sent side of a session: the packets of a sender, those of the last 500 ms, and the reports about them.
///
/// Thread: one at a time.
package final class SentStream {
  /// Source of the packets.
  package private(set) var sender: PacketSender
  /// News of the remote party's reports that have not been taken.
  package var freshFeedback: LinkFeedback?
  /// Newest packet, and the time at which it was sent, in nanoseconds; nil before the first.
  private var newest: (header: RTPHeader, nanoseconds: Int)?
  /// Packets sent, for the first time.
  package private(set) var packetCount = 0
  /// Report of the RTCP session.
  package var report: RTCPSessionReport { session.report }
  private var session: RTCPSession
  private var kept = RetransmissionCache()
  private var control: SenderRateController?

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - sender: Source of the packets.
  ///   - session: RTCP with the remote party.
  ///   - adapts: Whether reports of loss change bitrate, FEC and packet duration.
  package init(_ sender: PacketSender, session: consuming RTCPSession, adapts: Bool = true) {
    self.sender = sender
    self.session = session
    if adapts, case .opus(let options) = sender.options.codec { control = SenderRateController(options) }
  }

  /// Sends the packets that wait, those that were requested, and a report if one is due.
  ///
  /// - Parameters:
  ///   - now: Present time, in nanoseconds.
  ///   - random: Number of 0..<1.
  ///   - memory: Memory for a datagram.
  ///   - protect: Encrypts the first bytes of the memory, and returns the datagram; the flag says whether it is RTCP.
  ///   - send: Sends a datagram; the flag says whether it is RTCP.
  package func pump(
    now: Int, random: Double, memory: UnsafeMutableRawBufferPointer,
    protect: (_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer?,
    send: (UnsafeRawBufferPointer, _ isRTCP: Bool) -> Void
  ) {
    while sender.next({ bytes, _ in
      guard bytes.count + 64 <= memory.count, let view = try? RTPPacketView(parsing: bytes) else { return }
      memory.copyMemory(from: bytes)
      guard let packet = protect(bytes.count, false) else { return }
      kept.insert(packet, sequenceNumber: view.header.sequenceNumber, nowNanoseconds: now)
      session.sent(view.header, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
      packetCount += 1
      newest = (view.header, now)
      send(packet, false)
    }) {}
    while let packet = session.retransmissions.next(from: kept, nowNanoseconds: now) { send(packet, false) }
    // A source that has sent nothing has nothing to report.
    guard packetCount > 0 else { return }
    let count = session.write(into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: random)
    if count > 0, let report = protect(count, true) { send(report, true) }
    adapt(now)
  }

  /// Takes the packets of another sender from now on, with another number of channels. Their numbers and timestamps
  /// continue.
  ///
  /// - Returns: The new sender.
  /// - Throws: `EngineError` with code `.invalidArgument` for a number of channels other than 1 or 2.
  package func replaceSender(channelCount: Int, nowNanoseconds now: Int) throws(EngineError) -> PacketSender {
    var options = sender.options
    options.channelCount = channelCount
    if let newest {
      options.isContinuation = true
      options.firstSequenceNumber = newest.header.sequenceNumber &+ 1
      let elapsed = (now - newest.nanoseconds) / 1_000_000 * (options.clockRate / 1_000)
      options.firstTimestamp = newest.header.timestamp &+ UInt32(truncatingIfNeeded: max(Self.longestPacket, elapsed))
    }
    sender = try PacketSender(options)
    if let control { try? sender.set(control.options) }
    return sender
  }

  /// Samples of the longest packet of Opus.
  private static let longestPacket = 5_760

  /// Time at which `pump` has a report; `Int.max` before the first packet.
  package var nextReportNanoseconds: Int {
    packetCount > 0 ? session.nextDeadlineNanoseconds(targetDelayNanoseconds: 0) : .max
  }

  /// Writes a BYE.
  ///
  /// - Returns: Bytes of the datagram; 0 if nothing was sent.
  package func writeBye(into memory: UnsafeMutableRawBufferPointer, now: Int) -> Int {
    packetCount > 0 ? session.writeBye(into: memory, nowNanoseconds: now) : 0
  }

  /// Takes an RTCP datagram that may report on the stream.
  package func takeReports(_ datagram: UnsafeRawBufferPointer, now: Int) {
    guard let news = try? session.receive(datagram, nowNanoseconds: now) else { return }
    if news.hasReport || news.hasRoundTrip { freshFeedback = LinkFeedback(session.report) }
  }

  private func adapt(_ now: Int) {
    guard let delivery = session.takeDelivery(nowNanoseconds: now) else { return }
    freshFeedback = LinkFeedback(session.report)
    guard let loss = delivery.loss ?? (delivery.isUnreported ? 1 : nil) else { return }
    if control?.receive(fractionLost: UInt8(min(255, 256 * loss))) == true { try? sender.set(control!.options) }
  }
}
