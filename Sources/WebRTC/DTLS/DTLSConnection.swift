public import Cryptography
import Platform

/// One end of a DTLS 1.2 connection that agrees on keys for SRTP.
///
///     datagrams, time --> DTLSConnection --> datagrams to send, next deadline, state, keys
///
/// A state machine: it does no I/O and reads no clock. After each call the caller sends every datagram of
/// `takeDatagram` and calls `handleTimeout` at `nextDeadlineNanoseconds`. Times are nanoseconds of any monotonic clock.
///
/// The peer needs a certificate on the curve P-256, too. It is trusted if it has a fingerprint that signalling
/// announced. Signalling may come later than the handshake; keys are available from then on.
///
/// An attacker with knowledge of the addresses can break an unfinished handshake with a forged message, as in every
/// implementation of DTLS 1.2: the first messages are not authenticated. Forged datagrams never lead to keys.
///
/// Thread: one at a time. Memory: bounded, also before the handshake is finished.
///
/// Source: RFC 6347; RFC 5764.
public final class DTLSConnection {
  /// Role of this end.
  public let role: DTLSRole
  /// Progress of the connection.
  public private(set) var state = DTLSState.handshaking
  private let certificate: DTLSCertificate
  private let options: DTLSOptions
  private let transport: DTLSTransport
  private var session: DTLSSession?
  private var filter: DTLSRecordFilter
  private var hasStarted = false
  /// End of the handshake's time, or of the wait for the peer's close_notify.
  private var limit: Int?
  private var received = 0
  private var retransmissions = 0
  private var restarts = 0

  /// Creates a connection, which sends nothing until it is started.
  ///
  /// - Parameters:
  ///   - role: role of this end, from the descriptions.
  ///   - certificate: certificate of this end.
  ///   - remoteFingerprints: fingerprints of the peer's description; empty if they are not known yet.
  ///   - options: suites and limits.
  public init(
    _ role: DTLSRole, _ certificate: DTLSCertificate, remoteFingerprints: [CertificateFingerprint] = [],
    options: DTLSOptions = DTLSOptions()
  ) {
    self.role = role
    self.certificate = certificate
    self.options = options
    filter = DTLSRecordFilter(role)
    transport = DTLSTransport(isLimited: role == .server)
    transport.fingerprints = remoteFingerprints
    session = DTLSSession(certificate, role, options, transport)
    if session == nil { state = .failed(.protocolError(reason: 0)) }
  }

  /// Starts the handshake: a client sends its first message, and the time of a server begins. A server's time begins
  /// with its first datagram otherwise. Further calls do nothing.
  public func start(nowNanoseconds now: Int) {
    guard state == .handshaking, !hasStarted else { return }
    hasStarted = true
    limit = now &+ options.handshakeNanoseconds
    transport.nowNanoseconds = now
    if role == .client { advance() }
  }

  /// Processes a datagram of the peer, of any content. A client ignores it before its start.
  public func receive(_ datagram: UnsafeRawBufferPointer, nowNanoseconds now: Int) {
    received += 1
    transport.outbox.received(datagram.count)
    if role == .server { start(nowNanoseconds: now) }
    guard hasStarted, let session else { return }
    let records = filter.kept(datagram, isFinished: session.isFinished)
    guard !records.isEmpty else { return }
    transport.nowNanoseconds = now
    records.withUnsafeBytes { records in transport.lend(records) { advance() } }
  }

  /// Notes bytes of another protocol from the peer's address, such as STUN: they count for the limit of a server's
  /// answer. The caller sends the datagrams of `takeDatagram` afterwards.
  ///
  /// A server's flight has about 595 bytes. It leaves at once after a ClientHello of 200 bytes, or after one of 120
  /// bytes and a connectivity check of 80. Otherwise it waits for the client's repetition a second later.
  public func noteReceived(byteCount: Int) { transport.outbox.received(max(0, byteCount)) }

  /// Sets the fingerprints of the peer's description. Nothing changes once a certificate has been accepted.
  public func setRemoteFingerprints(_ fingerprints: [CertificateFingerprint]) {
    guard state == .handshaking else { return }
    transport.fingerprints = fingerprints
    if session?.isFinished == true { decide() }
  }

  /// Time of the next call of `handleTimeout`; nil if none is needed.
  public var nextDeadlineNanoseconds: Int? {
    switch state {
    case .handshaking: [limit, transport.timer.deadline].compactMap(\.self).min()
    case .closing: limit
    case .connected, .failed, .closed: nil
    }
  }

  /// Retransmits the present flight, or ends an attempt that took too long, if it is time.
  public func handleTimeout(nowNanoseconds now: Int) {
    if let limit, limit <= now {
      switch state {
      case .handshaking: return end(.failed(.timeout))
      case .closing: return end(.closed)
      case .connected, .failed, .closed: break
      }
    }
    guard state == .handshaking, let session, transport.timer.isDue(nowNanoseconds: now) else { return }
    transport.nowNanoseconds = now
    // The flight waits for bytes of the peer, so it is not sent again.
    guard !transport.outbox.isHoldingBack else { return transport.postpone() }
    ReachPoints.note(.flightRepeated)
    retransmissions += 1
    handle(session.retransmit())
  }

  /// Returns the next datagram to send, at most `maximumByteCount` bytes; nil if there is none at present.
  public func takeDatagram() -> [UInt8]? { transport.outbox.take() }

  /// Returns the keys of the two directions while the connection is connected; nil otherwise.
  ///
  /// The memory of the keys is overwritten when they are released.
  public func makeKeys() -> SRTPKeyPair? {
    guard case .connected = state else { return nil }
    return session?.exportKeys(role)
  }

  /// Ends the connection with a close_notify. Before it is connected, there is nothing to notify the peer with.
  public func close(nowNanoseconds now: Int) {
    switch state {
    case .connected:
      transport.nowNanoseconds = now
      session?.close()
      state = .closing
      limit = now &+ options.closeNanoseconds
    case .handshaking: end(.closed)
    case .closing, .failed, .closed: break
    }
  }

  /// Counts so far.
  public var counters: DTLSCounters {
    let outbox = transport.outbox
    var counters = DTLSCounters()
    counters.receivedDatagrams = received
    counters.receivedBytes = outbox.receivedBytes
    counters.sentDatagrams = outbox.sentCount
    counters.sentBytes = outbox.sentBytes
    counters.ignoredRecords = filter.ignoredCount
    counters.retransmissions = retransmissions
    counters.heldBackDatagrams = outbox.heldBackCount
    counters.heldBackBytes = outbox.heldBackBytes
    counters.droppedDatagrams = outbox.droppedCount
    counters.restarts = restarts
    return counters
  }

  private func advance() {
    guard let session else { return }
    handle(session.advance())
  }

  private func handle(_ progress: DTLSSession.Progress) {
    switch progress {
    case .waiting: break
    case .finished:
      // The peer's address is proven: it has answered a random number.
      transport.outbox.isLimited = false
      if state == .handshaking { decide() }
    case .peerClosed:
      if case .connected = state { session?.close() }
      end(.closed)
    case .failed(let error):
      if canRestart(after: error) { restart() } else { end(.failed(error)) }
    }
  }

  /// Compares the certificate with the fingerprints, as soon as they are known.
  private func decide() {
    guard let session, !transport.fingerprints.isEmpty else { return }
    guard session.accepts(transport.fingerprints) else {
      session.close()
      return end(.failed(.fingerprintMismatch))
    }
    guard let suite = session.suite, options.suites.contains(suite) else {
      session.close()
      return end(.failed(.noCommonSRTPProfile))
    }
    limit = nil
    state = .connected(suite)
  }

  /// Returns whether nothing has been lost yet: a server that has not answered a first message waits for another.
  private func canRestart(after error: DTLSError) -> Bool {
    role == .server && !transport.hasWrittenHandshake && !DTLSSession.isRefusal(error)
  }

  private func restart() {
    // The alert would end the genuine peer's handshake.
    transport.outbox.clear()
    restarts += 1
    session = nil
    session = DTLSSession(certificate, role, options, transport)
    if session == nil { end(.failed(.protocolError(reason: 0))) }
  }

  /// Ends the connection and releases OpenSSL's memory; datagrams that wait are still sent.
  private func end(_ state: DTLSState) {
    self.state = state
    limit = nil
    session = nil
  }
}
