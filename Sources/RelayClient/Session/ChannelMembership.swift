package import Platform
package import Signalling
package import WebRTC

/// One user in one channel: the join, the media transport, states, users and timers.
///
///     start, update, renew, leave ─▶ ┌────────────┐ ─▶ takeDatagram   the UDP socket's shell
///     datagrams                   ─▶ │ membership │ ─▶ takeEvent      the program
///                                    └─────┬──────┘
///                    requests, answers     │
///                                       session
///
/// A state machine: it reads no clock and has no socket; its session does the work that is due in time. The relay is
/// silent if no authentic packets come, whatever its messages are. After 4 s of silence the membership joins again with
/// new keys: by the session's connection if packets of another membership pass, else by another connection.
///
/// Thread: that of its session, which outlives it.
package final class ChannelMembership {
  /// Channel.
  package var channel: ChannelName { options.channel }
  /// Profile of the channel.
  package var profile: ChannelProfile { options.profile }
  /// State of the membership.
  package internal(set) var state = ConnectionState.disconnected
  /// Uid in the channel; nil before the first join.
  package var uid: UInt32? { identity.uid }
  /// SSRC to publish with; nil if this user must not publish.
  package var ownSSRC: UInt32? { identity.ssrc }
  /// SSRC of reports.
  package var reportSSRC: UInt32 { identity.reportSSRC }
  /// Reason why the newest attempt to join has failed; nil after a success.
  package internal(set) var failure: ChannelError?
  /// Settings, which a rejoin restores.
  package internal(set) var settings: ChannelSettings
  /// Remote users by uid.
  package var users: [UInt32: ChannelUser] { channelUsers.byUID }

  /// The session that carries the requests.
  package unowned let session: RelaySession
  var options: ChannelMembershipOptions
  let certificate: DTLSCertificate
  var random: any RandomNumberGenerator
  var phase = MembershipPhase.idle
  var transport: MediaTransport?
  /// Whether `transport` has been connected.
  var isTransportReady = false
  var credentials = ICECredentials()
  /// First media address that the relay has named.
  package internal(set) var mediaAddress: SocketAddress?
  /// Preload that the membership has borrowed.
  var preload: ChannelPreload?
  var channelUsers = ChannelUsers()
  var identity: MembershipIdentity
  var times = MembershipTimes()
  var delay = ReconnectDelay()
  var requests: RequestTable
  var output = MembershipOutput()
  let data = MembershipData()

  /// Creates a membership without an attempt.
  ///
  /// - Parameters:
  ///   - options: Options of the membership.
  ///   - session: Session that carries the requests; it must outlive the membership.
  ///   - certificate: Certificate of the transports.
  ///   - random: Source of the delays between attempts.
  package init(
    _ options: ChannelMembershipOptions, in session: RelaySession, certificate: DTLSCertificate,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    var random = random
    self.options = options
    self.session = session
    self.certificate = certificate
    settings = options.settings
    requests = RequestTable(confirmed: options.settings)
    identity = MembershipIdentity(reportSSRC: random.next())
    self.random = random
  }

  // MARK: Output

  /// Returns the next datagram to send; nil if there is none.
  package func takeDatagram() -> ICEDatagram? {
    if let datagram = usedTransport?.takeDatagram() { return datagram }
    return output.datagrams.isEmpty ? nil : output.datagrams.removeFirst()
  }

  /// Returns the next event; nil if there is none.
  package func takeEvent() -> ChannelEvent? { output.events.isEmpty ? nil : output.events.removeFirst() }

  // MARK: Calls

  /// Joins the channel.
  ///
  /// - Parameter preload: Preload that was lent for the join, of this session; the caller resumes it once the
  ///   membership is idle.
  package func start(preload: ChannelPreload? = nil, nowNanoseconds now: Int) {
    guard phase == .idle else { return }
    times.join = now
    self.preload = preload
    begin(.connecting, now)
  }

  /// Leaves the channel. The sound ends at once; the events follow the relay's answer, or come after 1 s.
  package func leave(nowNanoseconds now: Int) {
    guard state != .disconnected, phase != .leaving else { return }
    guard phase.isKnownToRelay else { return finishLeaving(nowNanoseconds: now) }
    refuseRequests { _ in true }
    // The close_notify follows the answer: if it came before the message, the relay would report a dropped user.
    isTransportReady = false
    session.send(.leave(LeaveRequest(id: session.makeID(), channel: channel)), now)
    phase = .leaving
    times.step = now + ChannelTimes.leave
  }

  /// Ends a leave without the relay's answer.
  package func finishLeaving(nowNanoseconds now: Int) {
    guard state != .disconnected else { return }
    disconnect(now)
    endMediaRelay(.idle, .ok)
    become(.disconnected, .leave)
    emit(.left)
  }

  /// Changes settings. Before the first join they are a part of it. A change that the relay has not answered when it is
  /// lost is requested again behind the rejoin.
  ///
  /// - Returns: Id of the request; nil if the relay need not know.
  @discardableResult
  package func update(_ settings: ChannelSettings, nowNanoseconds now: Int) -> UInt32? {
    let old = self.settings
    self.settings = settings
    let isPartOfJoin = phase == .idle || phase == .leaving || !identity.hasJoined && !phase.isKnownToRelay
    let id = session.makeID()
    let updates = isPartOfJoin ? [] : makeUpdates(id, from: old, to: settings)
    guard !updates.isEmpty else {
      requests.confirmed.change(from: old, to: settings)
      if phase == .connected { noteRole(from: old, to: settings) }
      return nil
    }
    if phase == .connected || phase == .connecting {
      for update in updates { session.sendPaced(.update(update), now) }
    }
    // Nobody waits for the answer to a report.
    guard !settings.differsByReports(from: old) else {
      requests.confirmed.change(from: old, to: settings)
      return nil
    }
    let end = old.role == settings.role ? nil : now + ChannelTimes.roleChange
    requests.pending[id] = .update(old: old, new: settings, untilNanoseconds: end)
    return id
  }

  /// Replaces the token. After its expiry this joins again as the same user.
  ///
  /// - Returns: Id of the request; nil without a channel.
  @discardableResult
  package func renew(_ token: SecretText, nowNanoseconds now: Int) -> UInt32? {
    let old = options.credential
    guard phase != .idle || identity.isAwaitingToken else { return nil }
    let id = session.makeID()
    let isSent = phase == .connected || phase == .connecting || phase == .joining
    // Else the token of the session is still that of others.
    let isSessions =
      isSent && usesSessionToken && !session.holdsToken
      && session.memberships.allSatisfy { $0 === self || !$0.usesSessionToken }
    options.credential = .token(token)
    if identity.isAwaitingToken {
      identity.isAwaitingToken = false
      begin(.connecting, now, reason: .tokenRenewed)
    }
    if isSent {
      if isSessions { session.credential = options.credential }
      session.send(.renewToken(RenewalRequest(id: id, channel: isSessions ? nil : channel, token: token)), now)
    }
    // The next join is the answer to a token that it takes along.
    requests.pending[id] = .renewal(old: old, isSessions: isSessions)
    return id
  }

  /// Requests the relay's reasons for silence.
  ///
  /// - Returns: Id of the request; nil without a channel.
  package func diagnose(_ user: UInt32?, nowNanoseconds now: Int) -> UInt32? {
    guard phase == .connected else { return nil }
    let id = session.makeID()
    session.sendPaced(.diagnose(DiagnosisRequest(id: id, channel: channel, uid: user)), now)
    requests.pending[id] = .diagnosis(untilNanoseconds: now + ChannelTimes.request)
    return id
  }

  /// Whether nothing is left to do: before the start, after a leave and after a failure.
  package var isIdle: Bool { phase == .idle }

  /// Whether the token has expired, and a new one continues the membership.
  package var isAwaitingToken: Bool { identity.isAwaitingToken }

  /// Time since the join call, in milliseconds.
  package func elapsedMilliseconds(_ now: Int) -> Int { (now - times.join) / 1_000_000 }

  // MARK: Internal

  func emit(_ event: ChannelEvent) { output.events.append(event) }

  func transmit(_ datagram: ICEDatagram) { output.datagrams.append(datagram) }

  func become(_ state: ConnectionState, _ reason: ConnectionReason) {
    self.state = state
    emit(.stateChanged(state, reason))
    if state == .reconnecting { noteMediaRelayLoss() }
  }

  /// Transport of the packets: that of the preload, while the join waits for its answer.
  var usedTransport: MediaTransport? { transport ?? preload?.lentTransport }

  /// Whether the token of the session is this membership's.
  var usesSessionToken: Bool { options.credential == session.credential }

  /// Whether an answer with this id is for this membership.
  func hasRequest(_ id: UInt32) -> Bool { requests.attempt == id || requests.pending[id] != nil }
}
