import Platform
import RTP
import WebRTC

extension Forwarder {
  /// Time between the reports to a peer, in nanoseconds.
  static let reportNanoseconds = 1_000_000_000
  /// Sender reports in a datagram.
  static let reportsPerDatagram = 16
  /// Longest datagram of RTCP before its protection, in bytes.
  static let largestReportByteCount = 1_200

  /// Notes packets of a peer or to it, on which the next report reports.
  func noteNews(_ peer: MediaPeer, _ now: Int) {
    guard peer.reportNanoseconds == nil else { return }
    // Reports of many peers spread over the time.
    let spread = Int(truncatingIfNeeded: random() & 0xFF) &* (Self.reportNanoseconds / 1_024)
    peer.reportNanoseconds = now &+ Self.reportNanoseconds &- spread
    schedule(peer)
  }

  /// Sends the reports and the requests that are due.
  func report(_ user: MediaUser, _ peer: MediaPeer, _ now: Int) {
    guard let address = peer.address else { return }
    if let time = peer.reportNanoseconds, now >= time {
      peer.reportNanoseconds = nil
      sendReports(user, peer, address, now)
    }
    if let data = user.data { repair(data, now) }
    guard let losses = user.stream.losses, losses.hasMissing, user.publishes, let source = peer.publishSSRC else {
      return
    }
    var writer = RTCPWriter(into: writable)
    do throws(RTCPError) {
      try writer.appendReceiverReport(ssrc: peer.relaySSRC)
      var hasPair = false
      for _ in 0..<16 {
        let pair = losses.nextPair(nowNanoseconds: now, roundTripNanoseconds: peer.roundTripNanoseconds)
        guard let pair else { break }
        if hasPair {
          try writer.append(pair)
        } else {
          try writer.appendNack(senderSSRC: peer.relaySSRC, mediaSSRC: source, pair)
        }
        hasPair = true
      }
      // The requests are due even if the peer takes none, so that they do not remain.
      if hasPair, peer.supportsNack { sendReport(writer.byteCount, peer, address) }
    } catch {
      // The memory holds 16 pairs.
    }
  }

  private var writable: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[..<Self.largestReportByteCount])
  }

  /// Sends sender reports for the streams to a peer, with the reception of its own stream in the first datagram.
  private func sendReports(_ user: MediaUser, _ peer: MediaPeer, _ address: SocketAddress, _ now: Int) {
    var block: ReportBlock?
    if let source = peer.publishSSRC, let last = user.stream.lastNanoseconds,
      now &- last < 5 &* Self.reportNanoseconds
    {
      block = user.stream.makeReportBlock(ssrc: source, links: user.links, nowNanoseconds: now)
    }
    let legs = peer.legs.values.filter { leg in
      leg.rewriter.lastNanoseconds.map { now &- $0 < 5 &* Self.reportNanoseconds } ?? false
    }.sorted { $0.ssrc < $1.ssrc }
    var start = 0
    repeat {
      let some = legs[start..<min(legs.count, start + Self.reportsPerDatagram)]
      var writer = RTCPWriter(into: writable)
      do throws(RTCPError) {
        try write(Array(some), block, peer, &writer, now)
        sendReport(writer.byteCount, peer, address)
      } catch {
        // The memory holds the reports of a datagram.
      }
      block = nil
      start += some.count
    } while start < legs.count
  }

  private func write(
    _ legs: [ForwardingLeg], _ block: ReportBlock?, _ peer: MediaPeer, _ writer: inout RTCPWriter, _ now: Int
  ) throws(RTCPError) {
    if legs.isEmpty { try writer.appendReceiverReport(ssrc: peer.relaySSRC) }
    var block = block
    for leg in legs {
      try writer.append(
        SenderReport(
          ssrc: leg.ssrc, ntp: clock.ntp(now), rtpTimestamp: leg.rewriter.timestamp(now), packetCount: leg.packetCount,
          octetCount: leg.octetCount))
      if let first = block { try writer.append(first) }
      block = nil
    }
    if legs.isEmpty, let block { try writer.append(block) }
    for leg in legs { try name(String(leg.publisherUID), leg.ssrc, &writer) }
    if legs.isEmpty { try name("relay", peer.relaySSRC, &writer) }
  }

  private func name(_ text: String, _ ssrc: UInt32, _ writer: inout RTCPWriter) throws(RTCPError) {
    // The closure cannot throw a typed error.
    var failure: RTCPError?
    Array(text.utf8).withUnsafeBytes { bytes in
      do throws(RTCPError) { try writer.appendCanonicalName(bytes, ssrc: ssrc) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  func sendReport(_ byteCount: Int, _ peer: MediaPeer, _ address: SocketAddress) {
    guard let count = peer.transport.protectRTCP(memory, byteCount: byteCount) else { return }
    send(UnsafeRawBufferPointer(rebasing: memory[..<count]), address, peer.local)
  }

  // MARK: Incoming

  /// Takes RTCP of a peer: the relay ends it here.
  func receive(
    rtcp datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, _ peer: MediaPeer, _ now: Int
  ) {
    guard let user = peer.user else {
      counters.unauthorizedPackets += 1
      return
    }
    guard datagram.count >= 8, datagram.count <= memory.count else {
      counters.malformedPackets += 1
      return
    }
    let sender = UInt32(bigEndian: datagram.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard peer.admits(rtcpSource: sender),
      case .rtcp(let byteCount) = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
    else {
      counters.refusedDatagrams += 1
      return
    }
    peer.note(rtcpSource: sender)
    user.heardNanoseconds = now
    do throws(RTCPError) {
      var reader = try RTCPReader(UnsafeRawBufferPointer(rebasing: datagram[..<byteCount]))
      while let packet = reader.next() { try take(packet, user, peer, now) }
    } catch {
      counters.malformedPackets += 1
    }
  }

  private func take(_ packet: RTCPPacketView, _ user: MediaUser, _ peer: MediaPeer, _ now: Int) throws(RTCPError) {
    switch packet.type {
    case .senderReport:
      let report = try packet.senderReport()
      if report.ssrc == peer.publishSSRC { user.stream.receive(report, nowNanoseconds: now) }
      try takeBlocks(packet, peer, now)
    case .receiverReport: try takeBlocks(packet, peer, now)
    case .bye:
      for index in 0..<packet.count where try packet.leavingSSRC(index) == peer.publishSSRC {
        user.stream.receiveBye()
      }
    case .transportFeedback where packet.isNack:
      let ssrc = try packet.nackedSSRC()
      if let data = user.data, ssrc == data.listenerSSRC {
        for index in 0..<(try packet.nackPairCount()) { resend(try packet.nackPair(index), data, now) }
      }
      guard let leg = peer.legs[ssrc] else { return }
      for index in 0..<(try packet.nackPairCount()) { resend(try packet.nackPair(index), leg, now) }
    default: break
    }
  }

  private func takeBlocks(_ packet: RTCPPacketView, _ peer: MediaPeer, _ now: Int) throws(RTCPError) {
    for index in 0..<packet.count {
      let block = try packet.reportBlock(index)
      guard let leg = peer.legs[block.ssrc] else { continue }
      leg.take(block, nowNanoseconds: now)
      if let time = block.roundTripNanoseconds(arrival: clock.ntp(now)) { peer.roundTripNanoseconds = time }
    }
  }

  private func resend(_ pair: NackPair, _ leg: ForwardingLeg, _ now: Int) {
    guard let address = leg.peer.address else { return }
    for distance in 0...16 {
      guard let number = pair.sequenceNumber(distance) else { continue }
      guard let packet = leg.sentPacket(number) else {
        ReachPoints.note(.packetNotKept)
        continue
      }
      let limit = limits.retransmissionsPerSecond
      guard leg.peer.sent.countRetransmission(limit: limit, nowNanoseconds: now) else { return }
      counters.retransmitted += 1
      send(packet, address, leg.peer.local)
    }
  }
}
