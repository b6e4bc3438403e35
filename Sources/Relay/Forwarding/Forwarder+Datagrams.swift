import NetworkIO
import Platform
import RTP
import SRTP
import Synchronization
import WebRTC

extension Forwarder {
  /// Takes a datagram of a media port. Datagrams that belong to no session are dropped in silence.
  ///
  /// - Parameters:
  ///   - datagram: bytes; a packet is decrypted in place.
  ///   - source: its source.
  ///   - local: number of the local socket; answers leave from there.
  ///   - now: time of the call, in nanoseconds of the caller's clock.
  func received(
    datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, local: Int, nowNanoseconds now: Int
  ) {
    counters.datagrams += 1
    counters.receivedBytes += datagram.count
    let bytes = UnsafeRawBufferPointer(datagram)
    let kind = DatagramKind(bytes)
    if kind == .stun, let peer = peer(ofCheck: bytes) {
      receive(check: datagram, from: source, local: local, peer, now)
      return
    }
    switch kind {
    case .stun, .dtls, .rtp, .rtcp:
      guard let (owner, proposal) = routes.peers(at: RouteKey(source), nowNanoseconds: now) else { break }
      receive(datagram, kind, from: source, local: local, owner, proposal, now)
      return
    case .zrtp, .turnChannel, .unknown: break
    }
    counters.unknownDatagrams += 1
    ReachPoints.note(.addressUnknown)
  }

  /// Gives a datagram to the owner of its source, and to the proposal if the owner refuses it.
  private func receive(
    _ datagram: UnsafeMutableRawBufferPointer, _ kind: DatagramKind, from source: SocketAddress, local: Int,
    _ owner: MediaPeer, _ proposal: MediaPeer?, _ now: Int
  ) {
    guard let proposal else {
      receive(datagram, kind, from: source, local: local, owner, now)
      return
    }
    // A peer that begins a handshake is a new one.
    if kind == .dtls, Self.isClientHello(UnsafeRawBufferPointer(datagram)) {
      receive(datagram, kind, from: source, local: local, proposal, now)
      return
    }
    // The owner may decrypt in place what is not its own.
    spare.copyMemory(from: UnsafeRawBufferPointer(datagram))
    if receive(datagram, kind, from: source, local: local, owner, now) { return }
    datagram.copyMemory(from: UnsafeRawBufferPointer(rebasing: spare[..<datagram.count]))
    receive(datagram, kind, from: source, local: local, proposal, now)
  }

  /// Gives a datagram to a connection.
  ///
  /// - Returns: Whether it is known to be the connection's.
  @discardableResult
  private func receive(
    _ datagram: UnsafeMutableRawBufferPointer, _ kind: DatagramKind, from source: SocketAddress, local: Int,
    _ peer: MediaPeer, _ now: Int
  ) -> Bool {
    peer.transport.clearProof()
    switch kind {
    case .rtp: receive(packet: datagram, from: source, peer, now)
    case .rtcp: receive(rtcp: datagram, from: source, peer, now)
    default: receive(control: datagram, from: source, peer, now)
    }
    guard peer.transport.isProved, peer.isInUse else { return false }
    routes.confirm(peer, at: RouteKey(source))
    peer.local = local
    if peer.address != peer.transport.remoteAddress { _ = finish(peer, now) }
    return true
  }

  /// Whether a datagram begins with a ClientHello. Source: RFC 6347, sections 4.1 and 4.2.
  private static func isClientHello(_ datagram: UnsafeRawBufferPointer) -> Bool {
    datagram.count > 13 && datagram[0] == 22 && datagram[13] == 1 && datagram[3] == 0 && datagram[4] == 0
  }

  /// Longest name of a connection of this relay, in bytes; a longer one in a check is another server's.
  private static let largestFragmentByteCount = 15

  /// Returns the media connection named in a check; nil for any other message.
  private func peer(ofCheck bytes: UnsafeRawBufferPointer) -> MediaPeer? {
    guard let message = try? STUNMessageReader(Span<UInt8>(_unsafeBytes: bytes)),
      let fragment = message.receiverFragment, fragment.count <= Self.largestFragmentByteCount
    else { return nil }
    return peersByFragment[fragment.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }]
  }

  /// Takes a check. Before the connection it names the address and the local socket for packets; later it proposes
  /// them.
  private func receive(
    check datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, local: Int, _ peer: MediaPeer,
    _ now: Int
  ) {
    let wasConnected = peer.address != nil
    peer.transport.clearProof()
    _ = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
    // Only an authentic check has an answer.
    guard let answer = peer.transport.takeDatagram() else {
      counters.refusedDatagrams += 1
      return
    }
    routes.propose(peer, at: RouteKey(source), nowNanoseconds: now)
    if !wasConnected { peer.local = local }
    // Answers, and a request for a proof, leave from where the check came.
    send(answer, from: local)
    if wasConnected { while let request = peer.transport.takeDatagram() { send(request, from: local) } }
    if peer.transport.isProved, peer.local == local { peer.user?.heardNanoseconds = now }
    // A DTLS client begins behind the first check.
    if peer.isDTLSClient { peer.transport.poll(nowNanoseconds: now) }
    if finish(peer, now) { schedule(peer) }
  }

  /// Takes a datagram of DTLS, or an answer to a request for a proof.
  private func receive(
    control datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, _ peer: MediaPeer, _ now: Int
  ) {
    let refused = peer.transport.counters.untrusted
    let wasConnected = peer.transport.isConnected
    _ = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
    counters.refusedDatagrams += peer.transport.counters.untrusted - refused
    if !wasConnected, peer.transport.isConnected { routes.confirm(peer, at: RouteKey(source)) }
    if finish(peer, now) { schedule(peer) }
  }

  /// Sends the datagrams of a media connection, and takes its changes.
  ///
  /// - Returns: Whether the connection continues.
  func finish(_ peer: MediaPeer, _ now: Int) -> Bool {
    sendDatagrams(of: peer)
    var end: MediaTransportError?
    while let event = peer.transport.takeEvent() {
      if case .failed(let error) = event { end = error }
    }
    peer.refresh()
    if let user = peer.user { countJoin(user, now) }
    guard let end else { return true }
    post(.ended(peer, end))
    return false
  }

  func sendDatagrams(of peer: MediaPeer) {
    while let datagram = peer.transport.takeDatagram() { send(datagram, of: peer) }
  }

  private func send(_ datagram: ICEDatagram, of peer: MediaPeer) { send(datagram, from: peer.local) }

  private func send(_ datagram: ICEDatagram, from local: Int) {
    datagram.bytes.withUnsafeBytes { send($0, datagram.address, local) }
  }

  // MARK: Packets

  /// Takes a packet of a publisher. One without the right, or with another SSRC, is dropped before its decryption.
  private func receive(
    packet datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, _ peer: MediaPeer, _ now: Int
  ) {
    guard let user = peer.user else {
      counters.unauthorizedPackets += 1
      return
    }
    let header = try? RTPHeader(parsing: UnsafeRawBufferPointer(datagram))
    let data = header.flatMap { $0.ssrc == user.data?.ssrc ? user.data : nil }
    guard data?.maySend ?? user.mayPublish else {
      counters.unauthorizedPackets += 1
      let limit = limits.audiencePacketsPerSecond
      // A ban needs an authentic packet: others may send with the user's address.
      if peer.address == source.unmapped, user.audienceWatch.count(limit: limit, nowNanoseconds: now),
        case .rtp = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
      {
        if !user.isFlooding { post(.flooded(peer)) }
        user.isFlooding = true
      }
      return
    }
    if let data, let header { return receive(message: datagram, header, from: source, user, data, peer, now) }
    guard let header, peer.admits(header) else {
      counters.otherSSRCPackets += 1
      return
    }
    let repeated = peer.transport.counters.repeated
    guard datagram.count <= Self.largestPacketByteCount + SRTPSuite.aeadAES128GCM.rtpOverhead,
      case .rtp(let byteCount) = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
    else {
      counters.refusedDatagrams += 1
      if peer.transport.counters.repeated > repeated {
        user.stream.receiveAgain(header.sequenceNumber, nowNanoseconds: now)
      }
      return
    }
    peer.note(source: header.ssrc)
    let packet = UnsafeRawBufferPointer(rebasing: datagram[..<byteCount])
    user.heardNanoseconds = now
    // Only authentic packets count: others may send with the user's address.
    guard user.packetRate.allows(at: Int64(now)) else {
      counters.limitedPackets += 1
      return
    }
    guard let view = try? RTPPacketView(parsing: packet) else {
      counters.malformedPackets += 1
      return
    }
    counters.packets += 1
    let stream = user.stream
    let sequence = stream.receive(header, nowNanoseconds: now, roundTripNanoseconds: peer.roundTripNanoseconds)
    noteNews(peer, now)
    if stream.losses?.hasMissing == true { schedule(peer) }
    guard user.publishes, !user.isMuted else {
      counters.mutedPackets += 1
      return
    }
    forward(packet, view, sequence: sequence, user, peer.format, now)
    if !user.links.isEmpty { relay(packet, view, sequence: sequence, user, peer.format, now) }
  }

  /// Sends a packet of a user to every listener, in the listener's format.
  func forward(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, sequence: Int, _ user: MediaUser,
    _ format: PacketFormat, _ now: Int
  ) {
    let stream = user.stream
    if view.payloadByteCount > 0 { stream.firstByte = packet[view.payloadOffset] }
    if let channel = user.channel, channel.choosesSpeakers {
      note(packet, view, sequence: sequence, user, channel, format, now)
    }
    // No leg ends before the loop does.
    let legs = stream.borrowedLegs
    for index in legs.indices {
      Prefetch.next(legs, index)
      legs[index]._withUnsafeGuaranteedRef { forward(packet, view, sequence: sequence, format, stream, $0, now) }
    }
    packetCount.store(counters.packets &+ counters.forwarded, ordering: .relaxed)
  }

  /// Sends a packet to a listener.
  func forward(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, sequence: Int, _ format: PacketFormat,
    _ stream: PublishedStream, _ leg: ForwardingLeg, _ now: Int
  ) {
    let header = view.header
    guard leg.isActive, let address = leg.peer.address,
      let numbers = leg.rewriter.rewrite(
        sequence: sequence, timestamp: header.timestamp, epoch: stream.epoch, nowNanoseconds: now)
    else { return }
    let rewritten = RTPHeader(
      marker: header.marker, payloadType: header.payloadType, sequenceNumber: numbers.sequenceNumber,
      timestamp: numbers.timestamp, ssrc: leg.ssrc)
    guard let plainByteCount = write(packet, view, format, rewritten, leg.format),
      let byteCount = leg.protect(memory, byteCount: plainByteCount)
    else { return }
    let datagram = UnsafeRawBufferPointer(rebasing: memory[..<byteCount])
    leg.note(
      datagram, sequenceNumber: numbers.sequenceNumber, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
    counters.forwarded += 1
    noteNews(leg.peer, now)
    send(datagram, address, leg.peer.local)
  }

  /// Writes a packet in another format into `memory`.
  ///
  /// - Returns: Its bytes; nil if the format cannot have it.
  func write(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, _ format: PacketFormat, _ header: RTPHeader,
    _ target: PacketFormat
  ) -> Int? {
    // Packets between clients of the conventions stay as they are: these also have other payloads than Opus.
    guard format == .conventional, target == .conventional else {
      return target.write(packet, view, of: format, header, into: memory)
    }
    memory.copyMemory(from: packet)
    // The size of a header was checked; the fields lie at RFC 3550's offsets.
    memory.storeBytes(of: header.sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
    memory.storeBytes(of: header.timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
    memory.storeBytes(of: header.ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
    return packet.count
  }
}
