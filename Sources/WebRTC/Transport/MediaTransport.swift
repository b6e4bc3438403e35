public import Cryptography
public import Platform
import RTP
package import SRTP

/// One connection to a peer: connectivity checks, DTLS and SRTP on one path.
///
///     datagram, source, time ─▶ receive ─▶ decrypted packet, in place
///     packet ─▶ protect ─▶ datagram for remoteAddress
///     time ─▶ poll                          at nextDeadlineNanoseconds
///     takeDatagram, takeEvent               after each call
///
/// A state machine: it reads no clock and has no socket. Datagrams of a peer are accepted from addresses that have
/// passed a check; any others are dropped in silence.
///
/// Thread: one at a time.
///
/// Source: RFC 7983 for several protocols on a path; RFC 5764 for DTLS and SRTP.
public final class MediaTransport {
  /// Counts so far.
  public private(set) var counters = MediaTransportCounters()
  private let path: any MediaPath
  private let dtls: DTLSConnection
  private var outbound: SRTPSession?
  private var inbound: SRTPSession?
  private var datagrams: [ICEDatagram] = []
  private var events: [MediaTransportEvent] = []
  private var isOver = false
  private var hello = EarlyHello()
  /// Whether the datagram since `clearProof` has come from the peer's proved address, or has proved another one.
  public private(set) var isProved = false

  /// Creates the transport of a server (ICE-lite), which waits for the peer's checks.
  ///
  /// - Parameters:
  ///   - credentials: credentials of this end.
  ///   - certificate: certificate of this end.
  ///   - role: DTLS role of this end, as the descriptions agree on it.
  ///   - remoteCredentials: credentials of the peer, with which a moved peer is asked for a proof; nil without them.
  ///   - remoteFingerprints: fingerprints of the peer's description.
  ///   - nowNanoseconds: present time.
  public convenience init(
    server credentials: ICECredentials, certificate: DTLSCertificate, role: DTLSRole = .server,
    remoteCredentials: ICECredentials? = nil, remoteFingerprints: [CertificateFingerprint], nowNanoseconds: Int
  ) {
    self.init(
      LitePath(credentials, remote: remoteCredentials, nowNanoseconds: nowNanoseconds),
      DTLSConnection(role, certificate, remoteFingerprints: remoteFingerprints))
  }

  /// Creates the transport of a client, which checks the peer's candidates; the first `poll` is due at once.
  ///
  /// - Parameters:
  ///   - agent: agent with the credentials of both ends.
  ///   - candidates: candidates of the peer, as the agent has them.
  ///   - certificate: certificate of this end.
  ///   - role: DTLS role of this end, as the descriptions agree on it.
  ///   - remoteFingerprints: fingerprints of the peer's description.
  public convenience init(
    client agent: consuming ICEControllingAgent, candidates: [ICECandidate], certificate: DTLSCertificate,
    role: DTLSRole = .client, remoteFingerprints: [CertificateFingerprint]
  ) {
    self.init(
      ControllingPath(agent, candidates: candidates),
      DTLSConnection(role, certificate, remoteFingerprints: remoteFingerprints))
  }

  private init(_ path: any MediaPath, _ dtls: DTLSConnection) {
    self.path = path
    self.dtls = dtls
  }

  /// Address for packets to the peer; nil before it is known.
  public var remoteAddress: SocketAddress? { path.remoteAddress }

  /// This end's address as the peer sees it, by its newest answer to a check; nil if this end sends none.
  public var mappedAddress: SocketAddress? { path.mappedAddress }

  /// Whether packets can be sent.
  public var isConnected: Bool { outbound != nil && path.remoteAddress != nil && !isOver }

  /// Time of the peer's newest check, or of its newest answer to one; nil before it.
  public var heardNanoseconds: Int? { path.heardNanoseconds }

  /// Time of the next `poll`; nil if none is needed.
  public var nextDeadlineNanoseconds: Int? {
    guard !isOver else { return nil }
    return [path.nextDeadlineNanoseconds, dtls.nextDeadlineNanoseconds, hello.dueNanoseconds].compactMap(\.self).min()
  }

  /// Takes a datagram.
  ///
  /// - Parameters:
  ///   - datagram: The datagram; a packet is decrypted in place.
  ///   - source: Its source.
  ///   - now: Time of the call, in nanoseconds of the caller's clock.
  public func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, nowNanoseconds now: Int
  ) -> ReceivedMedia {
    guard !isOver else { return .nothing }
    counters.received += 1
    switch DatagramKind(UnsafeRawBufferPointer(datagram)) {
    case .stun:
      change { output in
        let isPeers = path.receive(UnsafeRawBufferPointer(datagram), from: source, nowNanoseconds: now, &output)
        isProved = isPeers || output.hasMoved
        guard isPeers else { return }
        dtls.noteReceived(byteCount: datagram.count)
        if output.hasSelected { hello.noteCheck(nowNanoseconds: now) }
      }
      advance(now)
    case .dtls:
      guard isTrusted(source) else { return .nothing }
      hello.noteAnswer()
      dtls.receive(UnsafeRawBufferPointer(datagram), nowNanoseconds: now)
      advance(now)
    case .rtp: return unprotect(datagram, from: source, isRTCP: false, now)
    case .rtcp: return unprotect(datagram, from: source, isRTCP: true, now)
    case .zrtp, .turnChannel, .unknown: counters.unknown += 1
    }
    return .nothing
  }

  /// Prepares `isProved` for the next datagram.
  public func clearProof() { isProved = false }

  /// Does the work that is due: checks, retransmissions, limits of time.
  public func poll(nowNanoseconds now: Int) {
    guard !isOver else { return }
    change { path.poll(nowNanoseconds: now, &$0) }
    guard !isOver else { return }
    // The ClientHello follows the first check, and does not wait for its answer.
    if dtls.role == .client, let address = path.earlyAddress {
      dtls.start(nowNanoseconds: now)
      if let bytes = hello.take(nowNanoseconds: now) { datagrams.append(ICEDatagram(bytes: bytes, address: address)) }
    }
    dtls.handleTimeout(nowNanoseconds: now)
    advance(now)
  }

  /// Checks the path at once, if this end sends checks: after silence, or on a changed network.
  public func checkPath(nowNanoseconds now: Int) {
    guard !isOver else { return }
    path.check(nowNanoseconds: now)
    change { path.poll(nowNanoseconds: now, &$0) }
  }

  /// Encrypts an RTP packet in place; `memory` holds it and `SRTPSuite.rtpOverhead` bytes more.
  ///
  /// - Returns: Bytes of the datagram; nil if the transport is not connected, or the packet cannot be protected.
  public func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) -> Int? {
    try? outbound?.protect(memory, byteCount: byteCount)
  }

  /// Returns the numbers of a sent source, with which its packets need no search; nil before the transport has keys.
  package func source(_ ssrc: UInt32) -> SourceState? { outbound?.source(ssrc) }

  /// Encrypts an RTP packet of a source of this transport; otherwise as `protect`.
  package func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int, _ source: SourceState) -> Int? {
    try? outbound?.protect(memory, byteCount: byteCount, source)
  }

  /// Encrypts RTCP packets in place; `memory` holds them and `SRTPSuite.rtcpOverhead` bytes more.
  ///
  /// - Returns: As `protect`.
  public func protectRTCP(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) -> Int? {
    try? outbound?.protectRTCP(memory, byteCount: byteCount)
  }

  /// Frees the memory of a sent source that has ended. Its SSRC must not be used again on this transport.
  public func forgetSent(_ ssrc: UInt32) { outbound?.forget(ssrc) }

  /// Returns the next datagram to send; nil if there is none.
  public func takeDatagram() -> ICEDatagram? { datagrams.isEmpty ? nil : datagrams.removeFirst() }

  /// Returns the next change; nil if there is none.
  public func takeEvent() -> MediaTransportEvent? { events.isEmpty ? nil : events.removeFirst() }

  /// Ends the connection, and notifies the peer.
  public func close(nowNanoseconds now: Int) {
    guard !isOver else { return }
    dtls.close(nowNanoseconds: now)
    takeDTLS()
    end()
  }

  // MARK: Private

  private func isTrusted(_ source: SocketAddress) -> Bool {
    let isTrusted = path.trusts(source)
    if !isTrusted { counters.untrusted += 1 }
    return isTrusted
  }

  private func unprotect(
    _ datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, isRTCP: Bool, _ now: Int
  ) -> ReceivedMedia {
    guard isTrusted(source) else { return .nothing }
    do throws(SRTPError) {
      let count =
        try isRTCP
        ? inbound?.unprotectRTCP(datagram, byteCount: datagram.count)
        : inbound?.unprotect(datagram, byteCount: datagram.count)
      guard let count else { return .nothing }
      // Nobody can have repeated such a packet. An older one, though authentic, may have been held back.
      if inbound?.isNewest == true {
        isProved = true
        change { path.prove(source, nowNanoseconds: now, &$0) }
      }
      return isRTCP ? .rtcp(byteCount: count) : .rtp(byteCount: count)
    } catch {
      guard error == .replay else {
        counters.refused += 1
        return .nothing
      }
      ReachPoints.note(.packetRepeated)
      counters.repeated += 1
      return .nothing
    }
  }

  private func change(_ body: (inout PathOutput) -> Void) {
    var output = PathOutput()
    body(&output)
    datagrams += output.datagrams
    for event in output.events {
      switch event {
      case .selected: break
      case .moved(let address): events.append(.moved(address))
      case .failed(let error): fail(error)
      }
    }
  }

  /// Sends what DTLS has to send, and takes its keys.
  private func advance(_ now: Int) {
    takeDTLS()
    switch dtls.state {
    case .connected(let suite) where outbound == nil: connect(suite)
    case .failed(let error): fail(.dtls(error))
    case .closed where outbound != nil: fail(.closedByPeer)
    case .handshaking, .connected, .closing, .closed: break
    }
  }

  private func takeDTLS() {
    guard let address = path.earlyAddress else { return }
    while let bytes = dtls.takeDatagram() {
      if dtls.role == .client { hello.note(bytes) }
      datagrams.append(ICEDatagram(bytes: bytes, address: address))
    }
  }

  private func connect(_ suite: SRTPSuite) {
    guard let keys = dtls.makeKeys() else { return }
    outbound = SRTPSession(keys.outbound, .outbound)
    inbound = SRTPSession(keys.inbound, .inbound)
    path.requireProof()
    events.append(.connected(suite))
  }

  private func fail(_ error: MediaTransportError) {
    guard !isOver else { return }
    events.append(.failed(error))
    end()
  }

  private func end() {
    isOver = true
    outbound = nil
    inbound = nil
  }
}
