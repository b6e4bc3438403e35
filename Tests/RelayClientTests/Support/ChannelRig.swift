import NetworkIO
import Platform
import RTP
import RelayClient
import Signalling
import TestSupport
import WebRTC

/// A session with one membership, and a relay without sockets: everything takes 20 ms each way, on a virtual clock.
///
/// A WebSocket opens after one round trip. While the network is cut, datagrams are lost, and the messages of an open
/// WebSocket wait, as TCP's do.
final class ChannelRig {
  static let delay = 20_000_000
  static let certificate = DTLSCertificate(unixSeconds: 1_800_000_000)

  let relay = FakeRelay()
  let session: RelaySession
  let membership: ChannelMembership
  private(set) var now = 0
  /// Events, each with its time in ms.
  private(set) var log: [String] = []
  private(set) var events: [ChannelEvent] = []
  private(set) var packets: [[UInt8]] = []
  private(set) var openedRelays: [String] = []
  /// Datagrams of the client, each with its time in ms, whether they arrive or not.
  private(set) var sent: [(kind: DatagramKind, time: Int)] = []
  /// Whether the network carries anything.
  var isOpen = true
  /// Share of datagrams that are lost, in percent.
  var loss = 0
  /// Number of the newest WebSocket that carries nothing any more, and does not end.
  private var deadSocket = 0
  /// Whether the relay's process accepts connections.
  var isListening = true
  /// Reason why it does not.
  var openError = WebSocketError(.refused, "wss://relay.example/")

  private var random: SeededGenerator
  private let client = SocketAddress(host: "192.0.2.7", port: 7_000)!
  private var socket = 0
  private var isSocketOpen = false
  private var flying: [(time: Int, arrive: () throws -> Void)] = []
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(
    user: UserIdentity = .uid(7), credential: SessionCredential = .token(SecretText("a.b.c")),
    settings: ChannelSettings = ChannelSettings(role: .broadcaster, publishes: true), seed: UInt64 = 1,
    joinLimitNanoseconds: Int? = nil
  ) {
    random = SeededGenerator(seed: seed)
    session = RelaySession(RelaySessionOptions(relay: "wss://relay.example/"), random: SeededGenerator(seed: seed))
    membership = ChannelMembership(
      ChannelMembershipOptions(
        credential: credential, channel: ChannelName("lobby")!, user: user, settings: settings,
        joinLimitNanoseconds: joinLimitNanoseconds), in: session, certificate: Self.certificate,
      random: SeededGenerator(seed: seed))
  }

  deinit { memory.deallocate() }

  /// Joins, and runs until the channel is joined.
  static func joined(_ users: [ChannelUser] = []) throws -> ChannelRig {
    let rig = ChannelRig()
    rig.relay.users = users
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 1_000)
    rig.forget()
    return rig
  }

  /// Time of the last event with a summary, in ms.
  func time(of summary: String) -> Int? {
    log.last { $0.hasSuffix(" \(summary)") }.flatMap { Int($0.prefix { $0 != " " }) }
  }

  func forget() {
    log = []
    events = []
  }

  /// Runs to a time, in milliseconds.
  func run(to milliseconds: Int) throws {
    let end = milliseconds * 1_000_000
    while true {
      try exchange()
      let next = [
        session.nextDeadlineNanoseconds, relay.transport?.nextDeadlineNanoseconds, flying.map(\.time).min(),
      ].compactMap(\.self).min()
      guard let next, next <= end else { break }
      now = max(now, next)
      session.poll(nowNanoseconds: now)
      relay.transport?.poll(nowNanoseconds: now)
      let due = flying.filter { $0.time <= now }
      flying.removeAll { $0.time <= now }
      for arrival in due { try arrival.arrive() }
    }
    now = end
  }

  /// Ends the WebSocket from the relay's side.
  func cutSignalling() {
    guard isSocketOpen else { return }
    isSocketOpen = false
    session.signallingClosed(nowNanoseconds: now)
  }

  /// Loses all further messages of the present WebSocket, as after a change of the client's address.
  func loseSignalling() { deadSocket = socket }

  func sendPacket(ssrc: UInt32, number: UInt16) {
    if let packet = relay.packet(ssrc: ssrc, number: number) { sendToClient(packet) }
  }

  // MARK: Private

  private func exchange() throws {
    while let command = session.takeCommand() { run(command) }
    while let datagram = membership.takeDatagram() {
      let client = client
      sent.append((datagram.bytes.withUnsafeBytes { DatagramKind($0) }, now / 1_000_000))
      if isOpen, !isLost() {
        fly { [relay] in relay.receive(datagram: datagram.bytes, from: client, self.now) }
      }
    }
    while let datagram = relay.transport?.takeDatagram() { sendToClient(datagram.bytes) }
    relay.takeEvents()
    let (texts, socket) = (relay.outbox, socket)
    relay.outbox = []
    for text in texts { deliver(on: socket) { self.session.receive(text, nowNanoseconds: self.now) } }
    while let event = membership.takeEvent() {
      events.append(event)
      log.append("\(now / 1_000_000) \(event.summary)")
    }
  }

  private func run(_ command: SignallingCommand) {
    switch command {
    case .open(let relay):
      openedRelays.append(relay)
      socket += 1
      isSocketOpen = false
      let socket = socket
      guard isOpen else { return }
      guard isListening else {
        return fly(2 * Self.delay) {
          if self.socket == socket { self.session.signallingFailed(self.openError, nowNanoseconds: self.now) }
        }
      }
      fly(2 * Self.delay) {
        guard self.socket == socket else { return }
        self.isSocketOpen = true
        self.session.signallingOpened(nowNanoseconds: self.now)
      }
    case .send(let text):
      deliver(on: socket) { try self.relay.receive(text, self.now) }
    case .close:
      // Messages before the end still arrive.
      isSocketOpen = false
    }
  }

  /// Delivers a message once the network is open, unless another WebSocket has taken the place of this one.
  private func deliver(on socket: Int, _ body: @escaping () throws -> Void) {
    fly {
      guard socket == self.socket, socket > self.deadSocket else { return }
      if self.isOpen { try body() } else { self.deliver(on: socket, body) }
    }
  }

  private func isLost() -> Bool { loss > 0 && Int.random(in: 0..<100, using: &random) < loss }

  private func sendToClient(_ bytes: [UInt8]) {
    guard isOpen, !isLost() else { return }
    fly { [self] in
      memory.copyBytes(from: bytes)
      let media = membership.receive(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: relay.address, nowNanoseconds: now)
      if case .rtp(let count) = media { packets.append(Array(memory[..<count])) }
    }
  }

  private func fly(_ time: Int = delay, _ arrive: @escaping () throws -> Void) { flying.append((now + time, arrive)) }
}

extension ChannelEvent {
  /// Short text for exact lists.
  var summary: String {
    switch self {
    case .stateChanged(let state, let reason): "state \(state.rawValue)/\(reason.rawValue)"
    case .joined(let uid, _, let elapsed): "joined \(uid) after \(elapsed)"
    case .rejoined(let uid, let elapsed): "rejoined \(uid) after \(elapsed)"
    case .left: "left"
    case .connectionLost: "lost"
    case .userJoined(let user, let elapsed): "user \(user.uid) after \(elapsed)"
    case .userInfoUpdated(let uid, let account): "user \(uid) is \(account)"
    case .userLeft(let uid, let reason): "user \(uid) left \(reason.rawValue)"
    case .userMuted(let uid, let isMuted): "user \(uid) muted \(isMuted)"
    case .speakersChanged(let uids): "speakers \(uids.map { "\($0)" } ?? "all")"
    case .userMusic(let uid, let isPlaying): "user \(uid) music \(isPlaying)"
    case .userPublishes(let uid, let publishes): "user \(uid) publishes \(publishes)"
    case .userSource(let uid, let ssrc): "user \(uid) source \(ssrc.map { "\($0)" } ?? "none")"
    case .ownSource(let ssrc): "source \(ssrc.map { "\($0)" } ?? "none")"
    case .published(let elapsed): "published after \(elapsed)"
    case .publishStateChanged(let old, let new, _): "publishes \(old.rawValue) to \(new.rawValue)"
    case .subscribeStateChanged(let uid, let old, let new, _):
      "user \(uid) subscribed \(old.rawValue) to \(new.rawValue)"
    case .tokenWillExpire(let milliseconds): "expires in \(milliseconds)"
    case .tokenRequested: "token requested"
    case .tokenRenewed(let milliseconds): "renewed for \(milliseconds)"
    case .networkTypeChanged(let type): "network \(type.rawValue)"
    case .roleChanged(let old, let new, let options):
      "role \(old.rawValue) to \(new.rawValue)" + (options.audienceLatencyLevel == .low ? ", low latency" : "")
    case .roleChangeFailed(let reason, let current): "role change failed \(reason.rawValue), \(current.rawValue)"
    case .timedOut: "timed out"
    case .failed(let error): "error \(error.code.rawValue)"
    case .granted: "granted"
    case .refused(_, let error): "refused \(error.code.rawValue)"
    case .streamMessage(let uid, let stream, let bytes):
      "message \(String(decoding: bytes, as: UTF8.self)) of \(uid) on \(stream)"
    case .streamMessageError(let uid, let stream, let missed, let cached):
      "messages of \(uid) on \(stream): \(missed) missed, \(cached) cached"
    case .mediaRelayStateChanged(let state, let error): "relays \(state.rawValue)/\(error.rawValue)"
    case .mediaRelayEvent(let event): "relay event \(event.rawValue)"
    case .mediaRelayStarted(let channel, let uid): "relayed to \(channel) as \(uid)"
    case .mediaRelayEnded(let channel, let error): "not relayed to \(channel): \(error.code.rawValue) \(error)"
    case .diagnosed(_, let findings): "findings \(findings.map { "\($0.uid) \($0.cause.name)" })"
    }
  }
}
