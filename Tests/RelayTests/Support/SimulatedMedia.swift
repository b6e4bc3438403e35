import DataStreams
import Platform
import RTP
import SDP
import Signalling
import WebRTC

/// A media connection of a client: packets with the sender's mark in their payload.
final class SimulatedMedia {
  /// A packet that came.
  struct Received: Equatable {
    let ssrc: UInt32
    let sequenceNumber: UInt16
    let timestamp: UInt32
    let payloadType: UInt8
    let payload: [UInt8]
    let milliseconds: Int
    /// Audio level in dB below overload.
    var level: UInt8?
    /// Name of the section in the packet.
    var mid: String?
  }

  /// Address on the client's network; another one stands for another network.
  var address: SocketAddress
  private(set) var transport: MediaTransport?
  private(set) var answer: JoinedAnswer?
  /// The relay's end of the connection; nil before it, and with SDP.
  private var remote: TransportParameters?
  private(set) var received: [Received] = []
  private(set) var reports: [SenderReport] = []
  private(set) var blocks: [ReportBlock] = []
  /// Numbers that the relay has requested.
  private(set) var requested: [UInt16] = []
  var outgoing: [[UInt8]] = []
  /// Whether requested packets are sent again.
  var answersRequests = true
  private var reportCount = 0
  private var reportedLost = 0
  /// Offer in SDP; nil for `transport`.
  var offer: AiortcOffer?
  /// Session of the offer and its answer.
  private(set) var session: NegotiatedSession?
  var payloadType: UInt8 = 111
  /// SSRC to send with, in place of the assigned one.
  var ssrc: UInt32?
  var sequenceNumber: UInt16 = 100
  var timestamp: UInt32 = 1_000
  /// Packets sent, by their numbers, protected.
  private(set) var sent: [UInt16: [UInt8]] = [:]
  private let credentials = ICECredentials()
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)

  init(_ address: SocketAddress) { self.address = address }

  deinit { memory.deallocate() }

  var description: MediaDescription {
    offer.map { .sdp(SecretText($0.text(credentials))) } ?? .transport(parameters)
  }

  /// Fingerprint that the client names; another one than that of its certificate is false.
  var fingerprint = SimulatedRelay.certificates.client.fingerprint

  var parameters: TransportParameters {
    TransportParameters(
      ufrag: credentials.fragment, password: SecretText(credentials.password),
      fingerprint: fingerprint, setup: .actpass)
  }

  /// Whether the connection is that of an answer to a join.
  func hasTransport(of answer: JoinedAnswer) -> Bool { answer.media == remote.map { .transport($0) } }

  func begin(_ answer: JoinedAnswer, _ now: Int) {
    guard self.answer == nil else { return }
    if case .sdp(let text) = answer.media {
      begin(answer, sdp: text.text, now)
      return
    }
    guard case .transport(let remote) = answer.media else { return }
    self.answer = answer
    if self.remote == nil { begin(remote, now) }
  }

  func begin(_ remote: TransportParameters, _ now: Int) {
    self.remote = remote
    let candidates = remote.candidates.compactMap {
      SocketAddress(host: $0.address, port: $0.port).map { ICECandidate($0) }
    }
    transport = MediaTransport(
      client: ICEControllingAgent(
        local: credentials, remote: ICECredentials(fragment: remote.ufrag, password: remote.password.text)!,
        isPeerLite: true, candidates: candidates, nowNanoseconds: now),
      candidates: candidates, certificate: SimulatedRelay.certificates.client,
      role: remote.setup == .passive ? .client : .server,
      remoteFingerprints: [remote.fingerprint])
  }

  private func begin(_ answer: JoinedAnswer, sdp text: String, _ now: Int) {
    guard let offer, let local = try? WebRTCDescription(parsing: offer.text(credentials)),
      let remote = try? WebRTCDescription(parsing: text),
      let session = try? OfferAnswer.apply(answer: remote, to: local)
    else { return }
    self.answer = answer
    self.session = session
    let candidates = session.remoteTransport.candidates.compactMap {
      SocketAddress(host: $0.address, port: $0.port).map { ICECandidate($0) }
    }
    let peer = ICECredentials(
      fragment: session.remoteTransport.usernameFragment, password: session.remoteTransport.password)
    guard let peer else { return }
    transport = MediaTransport(
      client: ICEControllingAgent(
        local: credentials, remote: peer, isPeerLite: session.isRemoteLite, candidates: candidates,
        nowNanoseconds: now),
      candidates: candidates, certificate: SimulatedRelay.certificates.client,
      role: session.localRole == .active ? .client : .server,
      remoteFingerprints: session.remoteTransport.fingerprints)
  }

  var isConnected: Bool { transport?.isConnected == true }
  var nextDeadlineNanoseconds: Int? { transport?.nextDeadlineNanoseconds }

  func poll(_ now: Int) { transport?.poll(nowNanoseconds: now) }

  /// Sends a packet of 20 ms.
  func sendPacket(
    _ mark: UInt8, advance: Bool = true, paddingByteCount: Int = 0, payloadByteCount: Int = 40
  ) {
    let header = RTPHeader(
      marker: false, payloadType: payloadType, sequenceNumber: sequenceNumber, timestamp: timestamp,
      ssrc: ssrc ?? answer?.ssrc ?? offer?.ssrc ?? 7)
    var writer = try! RTPPacketWriter(header, into: memory)
    try! writer.append(AudioLevel(decibelsBelowOverload: mark, hasVoice: true), identifier: levelIdentifier)
    let start = try! writer.endHeader()
    for index in 0..<payloadByteCount { memory[start + index] = mark }
    if paddingByteCount > 0 {
      memory[0] |= 0x20
      for index in 0..<paddingByteCount { memory[start + payloadByteCount + index] = 0 }
      memory[start + payloadByteCount - 1 + paddingByteCount] = UInt8(paddingByteCount)
    }
    if let count = transport?.protect(memory, byteCount: start + payloadByteCount + paddingByteCount) {
      let bytes = Array(memory[..<count])
      sent[sequenceNumber] = bytes
      outgoing.append(bytes)
    }
    if advance { skipPacket() }
  }

  /// Sends a message of a data stream, with the SSRC that the relay has assigned.
  func sendMessage(
    _ text: String, number: UInt32, packet: UInt16, uid: UInt32 = 0, isReliable: Bool = true, isSent: Bool = true,
    payloadType: UInt8 = 112, ssrc: UInt32? = nil
  ) {
    let header = RTPHeader(
      marker: false, payloadType: payloadType, sequenceNumber: packet, timestamp: 0,
      ssrc: ssrc ?? answer?.data?.sent ?? 7)
    let start = try! header.write(to: memory)
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[start...])
    DataMessageHeader(uid: uid, stream: 1, isReliable: isReliable, isOrdered: true, number: number).write(to: payload)
    let end = start + DataMessageHeader.byteCount + text.utf8.count
    UnsafeMutableRawBufferPointer(rebasing: payload[DataMessageHeader.byteCount...]).copyBytes(from: text.utf8)
    guard let count = transport?.protect(memory, byteCount: end) else { return }
    sent[packet] = Array(memory[..<count])
    if isSent { outgoing.append(Array(memory[..<count])) }
  }

  /// Messages of data streams that came: sender, number and text.
  var messages: [String] {
    received.filter { $0.ssrc == answer?.data?.received }.compactMap { packet in
      packet.payload.withUnsafeBytes { payload in
        DataMessageHeader(payload).map {
          "\($0.uid) \($0.number) \(String(decoding: payload.dropFirst(DataMessageHeader.byteCount), as: UTF8.self))"
        }
      }
    }
  }

  /// Lets the time of a packet pass.
  func skipPacket() {
    sequenceNumber &+= 1
    timestamp &+= 960
  }

  func sendRTCP(_ write: (inout RTCPWriter) throws(RTCPError) -> Void) {
    var writer = RTCPWriter(into: memory)
    try! write(&writer)
    if let count = transport?.protectRTCP(memory, byteCount: writer.byteCount) {
      outgoing.append(Array(memory[..<count]))
    }
  }

  /// Reports a loss in 1/256 of every stream that came, for the next 256 packets of each.
  func sendReport(fractionLost: UInt8) {
    reportCount += 1
    reportedLost += Int(fractionLost)
    let sources = Set(received.map(\.ssrc)).sorted()
    let reference = reports.last?.ntp.middle32 ?? 0
    sendRTCP { (writer) throws(RTCPError) in
      try writer.appendReceiverReport(ssrc: self.answer?.ssrc ?? 1)
      for source in sources {
        try writer.append(
          ReportBlock(
            ssrc: source, fractionLost: fractionLost, cumulativeLost: self.reportedLost,
            extendedHighestSequenceNumber: UInt32(256 * self.reportCount), jitter: 0,
            lastSenderReport: reference, delaySinceLastSenderReport: 0))
      }
    }
  }

  /// Address of the relay's worker.
  var relayAddress: SocketAddress { transport?.remoteAddress ?? SimulatedRelay.address }

  func receive(_ bytes: [UInt8], from source: SocketAddress = SimulatedRelay.address, _ now: Int) {
    bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    let datagram = UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count])
    switch transport?.receive(datagram, from: source, nowNanoseconds: now) {
    case .rtp(let count)?: takePacket(UnsafeRawBufferPointer(rebasing: memory[..<count]), now)
    case .rtcp(let count)?: takeReport(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    case .nothing?, nil: break
    }
  }

  private func takePacket(_ bytes: UnsafeRawBufferPointer, _ now: Int) {
    guard let view = try? RTPPacketView(parsing: bytes) else { return }
    let level = try? view.audioLevel(identifier: levelIdentifier, in: bytes)
    received.append(
      Received(
        ssrc: view.header.ssrc, sequenceNumber: view.header.sequenceNumber, timestamp: view.header.timestamp,
        payloadType: view.header.payloadType, payload: Array(bytes[view.payloadRange]), milliseconds: now / 1_000_000,
        level: level?.decibelsBelowOverload, mid: mid(view, bytes)))
  }

  private var levelIdentifier: UInt8 { offer == nil ? 1 : AiortcOffer.levelIdentifier }

  private func mid(_ view: RTPPacketView, _ bytes: UnsafeRawBufferPointer) -> String? {
    guard offer != nil else { return nil }
    var reader = HeaderExtensionReader(view, in: bytes)
    while let element = try? reader.next() {
      guard element.identifier == AiortcOffer.midIdentifier else { continue }
      return String(decoding: bytes[element.offset..<element.offset + element.byteCount], as: UTF8.self)
    }
    return nil
  }

  private func takeReport(_ bytes: UnsafeRawBufferPointer) {
    guard var reader = try? RTCPReader(bytes) else { return }
    while let packet = reader.next() {
      if let report = try? packet.senderReport() { reports.append(report) }
      if packet.type == .senderReport || packet.type == .receiverReport {
        for index in 0..<packet.count { if let block = try? packet.reportBlock(index) { blocks.append(block) } }
      }
      guard packet.isNack, let count = try? packet.nackPairCount() else { continue }
      for index in 0..<count {
        guard let pair = try? packet.nackPair(index) else { continue }
        for distance in 0...16 {
          guard let number = pair.sequenceNumber(distance) else { continue }
          requested.append(number)
          if answersRequests, let bytes = sent[number] { outgoing.append(bytes) }
        }
      }
    }
  }

  func takeReceived() -> [Received] {
    defer { received = [] }
    return received
  }
}
