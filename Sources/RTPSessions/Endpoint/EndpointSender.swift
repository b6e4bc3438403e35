import AudioGraph
import MediaStreams
import RTP

/// The stream that an `RTPEndpoint` sends: its packets, those of the last 500 ms, and the reports about them.
///
/// Thread: the endpoint's.
final class EndpointSender {
  let sender: PacketSender
  private var session: RTCPSession
  private var kept = RetransmissionCache()
  private var control: SenderRateController?
  /// News of the remote party's reports that have not been taken.
  var freshFeedback: LinkFeedback?
  /// Packets sent, for the first time.
  private(set) var packetCount = 0

  init(_ sender: PacketSender, session: consuming RTCPSession) {
    self.sender = sender
    self.session = session
    if case .opus(let options) = sender.options.codec { control = SenderRateController(options) }
  }

  /// Sends the packets that wait, those that were requested, and a report if one is due.
  ///
  /// - Parameters:
  ///   - now: Present time, in nanoseconds.
  ///   - random: Number of 0..<1.
  ///   - memory: Memory for a datagram.
  ///   - protection: SRTP; nil for plain RTP.
  ///   - send: Sends a datagram; the flag says whether it is RTCP.
  func pump(
    now: Int, random: Double, memory: UnsafeMutableRawBufferPointer, protection: SRTPContextPair?,
    send: (UnsafeRawBufferPointer, _ isRTCP: Bool) -> Void
  ) {
    while sender.next({ bytes, _ in
      guard bytes.count + 64 <= memory.count, let view = try? RTPPacketView(parsing: bytes) else { return }
      memory.copyMemory(from: bytes)
      guard let packet = try? protection.protect(memory, byteCount: bytes.count, isRTCP: false) else { return }
      kept.insert(packet, sequenceNumber: view.header.sequenceNumber, nowNanoseconds: now)
      session.sent(view.header, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
      packetCount += 1
      send(packet, false)
    }) {}
    while let packet = session.retransmissions.next(from: kept, nowNanoseconds: now) { send(packet, false) }
    // A source that has sent nothing has nothing to report.
    guard packetCount > 0 else { return }
    let count = session.write(into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: random)
    if count > 0, let report = try? protection.protect(memory, byteCount: count, isRTCP: true) { send(report, true) }
    adapt(now)
  }

  /// Writes a BYE.
  ///
  /// - Returns: Bytes of the datagram; 0 if nothing was sent.
  func writeBye(into memory: UnsafeMutableRawBufferPointer, now: Int) -> Int {
    packetCount > 0 ? session.writeBye(into: memory, nowNanoseconds: now) : 0
  }

  /// Takes an RTCP datagram that may report on the stream.
  func takeReports(_ datagram: UnsafeRawBufferPointer, now: Int) {
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
