import Platform
package import Signalling
package import WebRTC

/// One connection to one channel: signalling, media transport, states and timers.
///
///     start, update, renew, leave ─▶ ┌────────────┐ ─▶ takeCommand    the WebSocket's shell
///     opened, closed, messages    ─▶ │ connection │ ─▶ takeDatagram   the UDP socket's shell
///     datagrams, time             ─▶ └────────────┘ ─▶ takeEvent      the program
///
/// A state machine: it reads no clock and has no socket. The relay is silent if neither messages nor authentic packets
/// come. After 4 s of silence, or at once after the end of the WebSocket, the client joins again with new keys. It does
/// so, too, if a message has no answer for 10 s.
///
/// Thread: one at a time.
package final class ChannelConnection {
  /// Channel.
  package var channel: ChannelName { options.channel }
  /// State of the connection.
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
  /// Messages of the relay that could not be read; each is ignored.
  package internal(set) var unreadableMessageCount = 0
  /// Remote users by uid.
  package var users: [UInt32: ChannelUser] { channelUsers.byUID }

  var options: ChannelConnectionOptions
  let certificate: DTLSCertificate
  var random: any RandomNumberGenerator
  var phase = ConnectionPhase.idle
  var transport: MediaTransport?
  /// Whether `transport` has been connected.
  var isTransportReady = false
  var credentials = ICECredentials()
  /// First media address that the relay has named.
  var mediaAddress: SocketAddress?
  var channelUsers = ChannelUsers()
  var identity: ConnectionIdentity
  var times = ConnectionTimes()
  var delay = ReconnectDelay()
  var relays = RelayChoice()
  var requests: RequestTable
  var output = ConnectionOutput()
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)

  /// Creates a connection without an attempt.
  ///
  /// - Parameters:
  ///   - options: Options of the connection.
  ///   - certificate: Certificate of the transports.
  ///   - random: Source of the delays between attempts.
  package init(
    _ options: ChannelConnectionOptions, certificate: DTLSCertificate,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    var random = random
    self.options = options
    self.certificate = certificate
    settings = options.settings
    requests = RequestTable(confirmed: options.settings)
    identity = ConnectionIdentity(reportSSRC: random.next())
    self.random = random
  }

  deinit { memory.deallocate() }

  // MARK: Output

  /// Returns the next command for the WebSocket; nil if there is none.
  package func takeCommand() -> ChannelCommand? { output.commands.isEmpty ? nil : output.commands.removeFirst() }

  /// Returns the next datagram to send; nil if there is none.
  package func takeDatagram() -> ICEDatagram? {
    if let datagram = transport?.takeDatagram() { return datagram }
    return output.datagrams.isEmpty ? nil : output.datagrams.removeFirst()
  }

  /// Returns the next event; nil if there is none.
  package func takeEvent() -> ChannelEvent? { output.events.isEmpty ? nil : output.events.removeFirst() }

  // MARK: Calls

  /// Joins the channel.
  package func start(nowNanoseconds now: Int) {
    guard phase == .idle else { return }
    times.join = now
    begin(.connecting, now)
  }

  /// Leaves the channel. The sound ends at once; the events follow the relay's answer, or come after 1 s.
  package func leave(nowNanoseconds now: Int) {
    guard state != .disconnected, phase != .leaving else { return }
    guard phase.hasSignalling else { return finishLeaving(nowNanoseconds: now) }
    refusePending()
    // The close_notify follows the answer: if it came before the message, the relay would report a dropped user.
    isTransportReady = false
    send(.leave(LeaveRequest(id: makeID(), channel: channel)), now)
    phase = .leaving
    times.step = now + ChannelTimes.leave
  }

  /// Ends a leave without the relay's answer.
  package func finishLeaving(nowNanoseconds now: Int) {
    guard state != .disconnected else { return }
    disconnect(now)
    become(.disconnected, .leave)
    emit(.left)
  }

  /// Changes settings. Without a channel they are for the next join.
  ///
  /// - Returns: Id of the request; nil if the relay need not know.
  @discardableResult
  package func update(_ settings: ChannelSettings, nowNanoseconds now: Int) -> UInt32? {
    let old = self.settings
    self.settings = settings
    guard phase == .connected || phase == .connecting, let request = makeUpdate(from: old) else {
      requests.confirmed.change(from: old, to: settings)
      return nil
    }
    send(.update(request), now)
    requests.pending[request.id] = .update(old: old, new: settings)
    return request.id
  }

  /// Replaces the token. After its expiry this joins again as the same user.
  ///
  /// - Returns: Id of the request; nil without a channel.
  @discardableResult
  package func renew(_ token: SecretText, nowNanoseconds now: Int) -> UInt32? {
    let old = options.credential
    options.credential = .token(token)
    if identity.isAwaitingToken {
      identity.isAwaitingToken = false
      begin(.connecting, now, reason: .tokenRenewed)
      return nil
    }
    guard phase == .connected || phase == .connecting else { return nil }
    let id = makeID()
    send(.renewToken(RenewalRequest(id: id, token: token)), now)
    requests.pending[id] = .renewal(old: old)
    return id
  }

  /// Requests the relay's reasons for silence.
  ///
  /// - Returns: Id of the request; nil without a channel.
  package func diagnose(_ user: UInt32?, nowNanoseconds now: Int) -> UInt32? {
    guard phase == .connected else { return nil }
    let id = makeID()
    send(.diagnose(DiagnosisRequest(id: id, channel: channel, uid: user)), now)
    requests.pending[id] = .diagnosis(untilNanoseconds: now + ChannelTimes.diagnosis)
    return id
  }

  // MARK: Internal

  func makeID() -> UInt32 { requests.makeID() }

  func send(_ message: ClientMessage, _ now: Int) {
    times.sentText = now
    times.unanswered = times.unanswered ?? now
    output.commands.append(.send(message.text))
  }

  func command(_ command: ChannelCommand) { output.commands.append(command) }

  func emit(_ event: ChannelEvent) { output.events.append(event) }

  func transmit(_ datagram: ICEDatagram) { output.datagrams.append(datagram) }

  func become(_ state: ConnectionState, _ reason: ConnectionReason) {
    self.state = state
    emit(.stateChanged(state, reason))
  }

  package func elapsedMilliseconds(_ now: Int) -> Int { (now - times.join) / 1_000_000 }
}
