package import Platform
package import Signalling
package import WebRTC

/// The media transport of a later join: ICE and DTLS are done ahead of it, and no user is in the channel.
///
///     datagrams ─▶ ┌─────────┐ ─▶ takeDatagram   the UDP socket's shell
///                  │ preload │ ─▶ takeEvent      the program
///                  └─┬─────┬─┘
///            session │     │ membership, which takes the transport over
///
/// A state machine as its session is. A membership borrows the preload from its start to its end; then the preload
/// requests another transport. A lost one is replaced after a delay. A refusal of the relay ends the preload.
///
/// Thread: that of its session, which outlives it.
package final class ChannelPreload {
  /// Channel.
  package let channel: ChannelName
  /// User of the join.
  package let user: UserIdentity
  /// Profile of the channel.
  package let profile: ChannelProfile
  /// Token or app id of the join.
  package private(set) var credential: SessionCredential
  /// The session that carries the requests.
  package unowned let session: RelaySession
  private let limit: Int
  private let certificate: DTLSCertificate
  private var random: any RandomNumberGenerator
  private(set) var phase = PreloadPhase.idle
  private var transport: MediaTransport?
  private var credentials = ICECredentials()
  private var delay = ReconnectDelay()
  private var request: UInt32 = 0
  /// Whether the transport was connected once.
  private(set) var hasConnected = false
  private var times = PreloadTimes()
  private var datagrams: [ICEDatagram] = []
  private var events: [PreloadEvent] = []

  /// Creates a preload without an attempt.
  ///
  /// - Parameters:
  ///   - credential: Token or app id of the join.
  ///   - channel: Channel.
  ///   - user: User of the join.
  ///   - profile: Profile of the channel.
  ///   - limitNanoseconds: Longest time until the transport is connected first; nil: 20 minutes, as after a loss.
  ///   - session: Session that carries the requests; it must outlive the preload.
  ///   - certificate: Certificate of the transports.
  ///   - random: Source of the delays between attempts.
  package init(
    _ credential: SessionCredential, channel: ChannelName, user: UserIdentity, profile: ChannelProfile = .live,
    limitNanoseconds: Int? = nil, in session: RelaySession, certificate: DTLSCertificate,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.credential = credential
    self.channel = channel
    self.user = user
    self.profile = profile
    limit = limitNanoseconds ?? ChannelTimes.patience
    self.session = session
    self.certificate = certificate
    self.random = random
  }

  // MARK: Output

  /// Returns the next datagram to send; nil if there is none.
  package func takeDatagram() -> ICEDatagram? {
    if isOwner, let datagram = transport?.takeDatagram() { return datagram }
    return datagrams.isEmpty ? nil : datagrams.removeFirst()
  }

  /// Returns the next event; nil if there is none.
  package func takeEvent() -> PreloadEvent? { events.isEmpty ? nil : events.removeFirst() }

  /// Whether the transport is connected, and no membership has it.
  package var isReady: Bool { phase == .ready }

  /// Whether the transport shows that the relay is reached.
  func isProved(_ now: Int) -> Bool { phase == .ready && now < silenceDeadline(PreloadTimes.freshness) }

  /// Whether the preload has ended for good, or has not begun.
  package var isEnded: Bool { phase == .idle }

  /// Whether a membership has the preload.
  package var isLent: Bool { phase == .lent }

  // MARK: Calls

  /// Requests the transport.
  package func start(nowNanoseconds now: Int) {
    guard phase == .idle else { return }
    wait(now)
    times.patience = now + limit
    session.add(self, now)
  }

  /// Ends the preload; nil: by the program's wish.
  package func end(_ error: ChannelError? = nil, nowNanoseconds now: Int) { end(error, now) }

  /// Replaces the token for the later join: the relay gets another request with it.
  package func renew(_ token: SecretText, nowNanoseconds now: Int) {
    let old = credential
    guard phase != .idle, old != .token(token) else { return }
    credential = .token(token)
    if session.credential == old { session.replaceUnusedToken(with: credential, now) }
    guard isOwner else { return }
    closeTransport(now)
    wait(now)
    session.startJoins(now)
  }

  /// Takes a datagram.
  package func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, nowNanoseconds now: Int
  ) {
    guard isOwner, let transport else { return }
    _ = transport.receive(datagram, from: source, nowNanoseconds: now)
    takeTransportEvents(now)
  }

  // MARK: A membership

  /// Whether the relay gives the transport to a join with these options.
  package func fits(_ options: ChannelMembershipOptions) -> Bool {
    channel == options.channel && user == options.user && profile == options.profile && credential == options.credential
      && (!profile.hasRoles || options.settings.role == .audience)
  }

  /// Gives the transport to a membership until `resume`.
  package func lend(nowNanoseconds now: Int) {
    guard isOwner else { return }
    // A path that was silent may be gone.
    if now >= silenceDeadline(PreloadTimes.freshness) { closeTransport(now) }
    // The join tells the program more.
    if phase != .ready { events.append(.ready) }
    phase = .lent
  }

  /// Transport for the membership; nil if there is none, or if it has been taken.
  var lentTransport: MediaTransport? { phase == .lent ? transport : nil }

  func takeLentTransport() -> MediaTransport? {
    guard phase == .lent else { return nil }
    defer { transport = nil }
    return transport
  }

  /// Requests another transport behind a membership.
  package func resume(nowNanoseconds now: Int) {
    guard phase == .lent else { return }
    closeTransport(now)
    delay.reset()
    wait(now)
  }

  // MARK: The session

  var deadlineNanoseconds: Int {
    switch phase {
    case .idle, .lent: return .max
    case .waiting: return times.patience
    case .pausing(let time): return min(time, times.patience)
    case .requesting, .connecting:
      return min(times.step, times.patience, transport?.nextDeadlineNanoseconds ?? .max)
    case .ready: return min(silenceDeadline(PreloadTimes.silence), transport?.nextDeadlineNanoseconds ?? .max)
    }
  }

  func poll(_ now: Int) {
    guard isOwner else { return }
    transport?.poll(nowNanoseconds: now)
    takeTransportEvents(now)
    guard phase == .ready || now < times.patience else {
      return end(session.failure ?? session.delayOfStep, now)
    }
    switch phase {
    case .pausing(let time) where now >= time: phase = .waiting
    case .requesting, .connecting: if now >= times.step { retry(now) }
    case .ready: if now >= silenceDeadline(PreloadTimes.silence) { retry(now) }
    case .waiting, .pausing, .idle, .lent: break
    }
  }

  func sendRequest(_ now: Int) {
    phase = .requesting
    times.step = now + ChannelTimes.signallingStep
    request = session.makeID()
    credentials = ICECredentials()
    var token: SecretText?
    // The session's token may change.
    if case .token(let own) = credential { token = own }
    session.send(
      .preload(
        PreloadRequest(
          id: request, channel: channel, user: user, token: token, profile: profile,
          transport: TransportParameters(credentials, certificate))), now)
  }

  func take(_ answer: PreloadedAnswer, _ now: Int) {
    guard phase == .requesting, answer.id == request else { return }
    guard let transport = MediaTransport(to: answer.transport, credentials, certificate, now) else {
      return end(
        ChannelError(.general, "the relay's answer has no usable address; check its --advertise", cause: .other), now)
    }
    phase = .connecting
    times.step = now + ChannelTimes.transportStep
    self.transport = transport
    takeTransportEvents(now)
  }

  /// - Returns: Whether the refused request is the preload's.
  func takeRefusal(_ report: FailureReport, _ now: Int) -> Bool {
    guard report.id == request, phase == .requesting else { return false }
    end(ChannelError(report), now)
    return true
  }

  /// Takes the end of the session's connection: the relay has forgotten the transport.
  func interrupt(_ now: Int) {
    guard isOwner else { return }
    transport = nil
    if phase == .ready { wait(now) } else { phase = .waiting }
  }

  func end(_ error: ChannelError?, _ now: Int) {
    guard phase != .idle else { return }
    if phase != .lent { closeTransport(now) }
    phase = .idle
    session.remove(self)
    events.append(.ended(error))
  }

  // MARK: Private

  /// Whether the transport is the preload's own to use.
  private var isOwner: Bool { phase != .lent && phase != .idle }

  /// Time at which a connected transport has been silent for a time.
  private func silenceDeadline(_ silence: Int) -> Int {
    phase == .ready ? max(times.ready, transport?.heardNanoseconds ?? 0) + silence : .max
  }

  private func wait(_ now: Int) {
    phase = .waiting
    times.patience = now + ChannelTimes.patience
  }

  private func retry(_ now: Int) {
    closeTransport(now)
    if phase == .ready { times.patience = now + ChannelTimes.patience }
    phase = .pausing(untilNanoseconds: now + delay.next(using: &random))
  }

  /// Ends the transport, and notifies the relay.
  private func closeTransport(_ now: Int) {
    transport?.close(nowNanoseconds: now)
    while let datagram = transport?.takeDatagram() { datagrams.append(datagram) }
    transport = nil
  }

  private func takeTransportEvents(_ now: Int) {
    while isOwner, let event = transport?.takeEvent() {
      switch event {
      case .connected where phase == .connecting:
        phase = .ready
        hasConnected = true
        times.ready = now
        delay.reset()
        events.append(.ready)
      case .connected, .moved: break
      case .failed: retry(now)
      }
    }
  }
}
