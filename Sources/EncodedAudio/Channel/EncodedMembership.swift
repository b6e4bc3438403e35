package import Platform
package import RTP
package import RelayClient
package import Signalling
package import WebRTC

/// One user in one channel with packets as they are, without audio.
///
///     network ─▶ membership ─▶ receiver ─▶ onPacket, recording
///     push ─▶ sender ─▶ membership ─▶ network
///
/// Time comes from a clock and packets from networks, so that it runs on sockets and in a simulation: call `pump` with
/// news of the network, and at `nextDeadlineNanoseconds`.
///
/// Thread: one at a time.
package final class EncodedMembership {
  /// The membership.
  package let membership: ChannelMembership
  /// Networks of the user.
  package let networks: (signalling: any SignallingNetwork, media: any MediaNetwork)
  /// Recording of the received packets; nil for none.
  package var recording: EncodedRecording?
  private let session: RelaySession
  private let clock: any EngineClock
  private let receiver: EncodedReceiver
  private var sender: EncodedSender
  private var random: any RandomNumberGenerator
  private let onEvent: (ChannelEvent) -> Void
  private let onPacket: (UInt32, EncodedPacket) -> Void
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
  /// Reference to the membership for closures that its parts call.
  private final class Link {
    weak var target: EncodedMembership?
  }

  /// Datagrams that are taken at once, so that a flood does not keep the thread.
  private static let longestBurst = 1_000
  /// Bytes of a report before its protection.
  private static let reportByteCount = 1_200

  /// Creates a user that has not joined.
  ///
  /// - Parameters:
  ///   - relay: Address of the relay's WebSocket.
  ///   - options: Options of the user.
  ///   - channel: Channel.
  ///   - credential: Token, or app of the channel.
  ///   - joinLimitNanoseconds: Longest time of the first join; nil for that of a loss.
  ///   - clock: Clock; every time is its.
  ///   - unixNanoseconds: Present time of the calendar since 1970.
  ///   - random: Source of random numbers.
  ///   - networks: Networks of the user.
  package init(
    relay: String, _ options: EncodedChannelOptions, channel: ChannelName, credential: SessionCredential,
    joinLimitNanoseconds: Int? = nil, certificate: DTLSCertificate, clock: any EngineClock, unixNanoseconds: Int,
    random: any RandomNumberGenerator,
    networks: (signalling: any SignallingNetwork, media: any MediaNetwork),
    onEvent: @escaping (ChannelEvent) -> Void, onPacket: @escaping (UInt32, EncodedPacket) -> Void
  ) {
    var random = random
    let session = RelaySession(RelaySessionOptions(relay: relay, software: "audiopipe"), random: random)
    self.session = session
    membership = ChannelMembership(
      options.membership(channel, credential, limitNanoseconds: joinLimitNanoseconds), in: session,
      certificate: certificate, random: random)
    self.networks = networks
    self.clock = clock
    self.onEvent = onEvent
    self.onPacket = onPacket
    let ntp = unixNanoseconds + NTPTimestamp.unixEpochSeconds * 1_000_000_000
    sender = EncodedSender(calendarNanoseconds: ntp - clock.nowNanoseconds, random: &random)
    self.random = random
    let link = Link()
    receiver = EncodedReceiver(
      waitNanoseconds: options.reorderingWait.clampedNanoseconds, requestsPackets: options.requestsPackets
    ) { uid, packet in link.target?.pass(packet, of: uid) }
    link.target = self
  }

  deinit { memory.deallocate() }

  // MARK: Calls

  /// Joins the channel.
  package func start() {
    let now = clock.nowNanoseconds
    membership.start(nowNanoseconds: now)
    flush(now)
  }

  /// Leaves the channel.
  package func leave() {
    let now = clock.nowNanoseconds
    receiver.end(now)
    membership.leave(nowNanoseconds: now)
    flush(now)
  }

  /// Queues a packet, which leaves at its time.
  package func push(_ payload: [UInt8], timestamp: Int, level: AudioLevel? = nil) throws(EncodedPacketError) {
    try sender.push(payload, timestamp: timestamp, level: level)
    sendDue()
  }

  /// Queues a packet of another channel. The packets are those of one user.
  package func forward(_ packet: EncodedPacket) throws(EncodedPacketError) {
    try sender.forward(packet)
    sendDue()
  }

  /// Drops the packets that wait.
  ///
  /// - Returns: Timestamp of the first sample that was not sent; nil if none waited.
  package func interrupt() -> Int? { sender.clear() }

  /// Passes the packets on that wait for an earlier one, so that a recording has them.
  package func settle() { receiver.settle(clock.nowNanoseconds) }

  /// Replaces the token.
  package func renew(_ token: SecretText) {
    let now = clock.nowNanoseconds
    membership.renew(token, nowNanoseconds: now)
    flush(now)
  }

  // MARK: State

  /// Counts of received packets.
  package var counts: EncodedCounts { receiver.counts }
  /// Packets that wait to be sent.
  package var queuedCount: Int { sender.queuedCount }
  /// Packets that were sent.
  package var sentCount: Int { sender.sentCount }
  /// Whether the channel has ended, and nothing is left to do.
  package var isOver: Bool { membership.isIdle && !membership.isAwaitingToken && session.isIdle }

  // MARK: Time and network

  /// Time of the next `pump` without news of the network; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? {
    var time = session.nextDeadlineNanoseconds ?? .max
    time = min(time, recording?.nextDeadlineNanoseconds ?? .max)
    time = min(time, receiver.nextDeadlineNanoseconds, sender.nextDeadlineNanoseconds(canSend: canPublish))
    return time == .max ? nil : time
  }

  /// Takes what has come, and does what is due.
  package func pump() {
    let now = clock.nowNanoseconds
    session.takeMessages(from: networks.signalling, nowNanoseconds: now)
    for _ in 0..<Self.longestBurst where !networks.media.receive({ take($0, from: $1, now) }) { break }
    if let deadline = session.nextDeadlineNanoseconds, deadline <= now { session.poll(nowNanoseconds: now) }
    sendMedia(now)
    recording?.poll(nowNanoseconds: now)
    flush(now)
  }

  // MARK: Private

  private func take(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress, _ now: Int) {
    guard datagram.count <= memory.count else { return }
    memory.copyMemory(from: datagram)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.count])
    switch membership.receive(bytes, from: address.unmapped, nowNanoseconds: now) {
    case .nothing: break
    case .rtp(let count): receiver.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]), now)
    case .rtcp(let count):
      let reports = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      receiver.receive(reports: reports, now)
      sender.receive(reports: reports, now)
    }
  }

  private func pass(_ packet: EncodedPacket, of uid: UInt32) {
    recording?.append(packet, of: uid)
    onPacket(uid, packet)
  }

  /// Whether packets can be published now.
  private var canPublish: Bool {
    membership.canSend && membership.remoteAddress != nil && membership.ownSSRC != nil
  }

  private func sendDue() {
    let now = clock.nowNanoseconds
    if sender.nextDeadlineNanoseconds(canSend: canPublish) <= now { sendMedia(now) }
  }

  private func sendMedia(_ now: Int) {
    let address = membership.remoteAddress
    let canSend = membership.canSend && address != nil
    func protect(_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer? {
      membership.protect(memory, byteCount: byteCount, isRTCP: isRTCP, nowNanoseconds: now)
        .map { UnsafeRawBufferPointer(rebasing: memory[..<$0]) }
    }
    sender.pump(
      now, ssrc: canPublish ? membership.ownSSRC : nil, random: Double.random(in: 0..<1, using: &random),
      memory: memory,
      protect: protect
    ) { if let address { networks.media.send($0, to: address) } }
    // Encryption needs room behind the reports.
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<Self.reportByteCount])
    receiver.pump(
      now, ssrc: membership.ownSSRC ?? membership.reportSSRC, random: Double.random(in: 0..<1, using: &random),
      memory: room
    ) { count in
      if let address, canSend, let report = protect(count, true) { networks.media.send(report, to: address) }
    }
  }

  /// Carries out the commands, sends the datagrams, and takes the events.
  private func flush(_ now: Int) {
    // Events may lead to requests.
    var isActive = true
    while isActive {
      let hasCommands = session.flush(to: networks.signalling, nowNanoseconds: now)
      isActive = membership.flush(to: networks.media) { note($0, now) } || hasCommands
      while session.takeEvent() != nil {}
    }
  }

  private func note(_ event: ChannelEvent, _ now: Int) {
    switch event {
    case .userJoined(let user, _): receiver.setSource(user.ssrc, of: user.uid, now)
    case .userSource(let uid, let ssrc): receiver.setSource(ssrc, of: uid, now)
    case .userLeft(let uid, _): receiver.setSource(nil, of: uid, now)
    default: break
    }
    onEvent(event)
  }
}
