import NetworkIO
import Platform
import RTP
import Relay
import RelayClient
import Signalling
import TestSupport
import WebRTC

/// Sessions of several users and a relay without sockets, on a virtual clock. Everything takes a delay each way.
final class SessionRig {
  static let app = AppID("app")!
  static let openApp = AppID("open")!
  static let secret = try! TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)
  static let certificate = DTLSCertificate(unixSeconds: 1_800_000_000)
  static let relayAddress = SocketAddress(host: "192.0.2.1", port: 4_000)!
  static let unixMilliseconds: Int64 = 1_800_000_000_000

  private(set) var now = 0
  var delay = 20_000_000
  /// The relay; nil while its process is away.
  private(set) var core: RelayCore?
  private(set) var users: [SessionUser] = []
  private let configuration: RelayConfiguration
  private let outgoing = Outgoing()
  private var flights: [Flight] = []
  private var sockets: [UInt64: RigSocket] = [:]
  private var socketCount: UInt64 = 0
  private var portCount: UInt16 = 0
  private var media: [SocketAddress: RigMedia] = [:]
  private let seed: UInt64
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  private struct Flight {
    let time: Int
    let arrive: () -> Void
  }

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress)] = []
  }

  init(seed: UInt64 = 1, _ change: (inout RelayConfiguration) -> Void = { _ in }) {
    var configuration = RelayConfiguration(
      apps: [
        RelayApp(id: Self.app, secret: Self.secret), RelayApp(id: Self.openApp, secret: nil, allowsAppIDOnly: true),
      ], mediaAddresses: [Self.relayAddress])
    configuration.resumeSecret = SecretText("resume tokens of a relay")
    configuration.limits.channelsPerSession = 100
    change(&configuration)
    self.configuration = configuration
    self.seed = seed
    startRelay()
  }

  deinit { memory.deallocate() }

  /// A token of a user for a channel, or for any.
  static func token(_ user: UserIdentity, channel: String = "*", seconds: Int64 = 3_600, at milliseconds: Int = 0)
    -> SessionCredential
  {
    let token = try! Token(
      app: app, scope: channel == "*" ? .anyChannel : .channel(ChannelName(channel)!), user: user, role: .broadcaster,
      expires: (unixMilliseconds + Int64(milliseconds)) / 1_000 + seconds)
    return .token(SecretText(TokenSigner(secret).sign(token)))
  }

  /// A user with a session without a channel.
  func user(_ identity: UserIdentity) -> SessionUser {
    let user = SessionUser(identity, self, seed: seed &+ UInt64(users.count) &* 1_000)
    users.append(user)
    return user
  }

  // MARK: Relay

  func startRelay() {
    let outgoing = outgoing
    var random = SeededGenerator(seed: seed &+ UInt64(now))
    core = RelayCore(
      configuration, certificate: Self.certificate, nowNanoseconds: now,
      unixMilliseconds: Self.unixMilliseconds + Int64(now / 1_000_000), random: { random.next() }
    ) { bytes, to, _ in outgoing.datagrams.append((Array(bytes), to)) }
  }

  /// Ends the relay without a word, as the loss of its process does.
  func stopRelay() {
    core = nil
    for socket in sockets.values { fly { socket.end() } }
    sockets = [:]
  }

  // MARK: Time

  /// Runs to a time, in milliseconds.
  func run(to milliseconds: Int) {
    let end = milliseconds * 1_000_000
    for user in users { user.hasNews = true }
    while true {
      exchange()
      var next = min(core?.nextDeadlineNanoseconds ?? .max, flights.last?.time ?? .max)
      for user in users { next = min(next, user.deadline) }
      guard next <= end else { break }
      now = max(now, next)
      if let core, let due = core.nextDeadlineNanoseconds, due <= now { core.poll(nowNanoseconds: now) }
      while let flight = flights.last, flight.time <= now {
        flights.removeLast()
        flight.arrive()
      }
      for user in users where user.deadline <= now {
        user.hasNews = true
        user.session.poll(nowNanoseconds: now)
      }
    }
    now = end
  }

  // MARK: Network

  fileprivate func open(_ socket: RigSocket) {
    fly(2 * delay) { [self] in
      guard let core else { return socket.fail() }
      socketCount += 1
      sockets[socketCount] = socket
      socket.number = socketCount
      core.opened(socketCount, from: SocketAddress(host: "198.51.100.7", port: 9)!, nowNanoseconds: now)
      socket.take(.opened)
    }
  }

  fileprivate func send(_ text: String, on socket: RigSocket) {
    fly { [self] in
      guard let number = socket.number, sockets[number] === socket, !socket.isDead else { return }
      core?.received(Array(text.utf8), on: number, nowNanoseconds: now)
    }
  }

  fileprivate func close(_ socket: RigSocket) {
    fly { [self] in
      guard let number = socket.number, sockets.removeValue(forKey: number) != nil else { return }
      core?.closed(number, nowNanoseconds: now)
    }
  }

  fileprivate func makeMedia(_ channel: SessionChannel) -> RigMedia {
    portCount += 1
    let new = RigMedia(SocketAddress(host: "198.51.100.7", port: 10_000 + portCount)!, channel)
    media[new.address] = new
    return new
  }

  private func exchange() {
    for user in users where user.hasNews {
      user.hasNews = false
      user.flush(now)
      user.deadline = user.session.nextDeadlineNanoseconds ?? .max
      for channel in user.channels {
        let sent = channel.media.takeSent()
        guard channel.media.isOpen else { continue }
        for bytes in sent { fly { [self] in arrive(bytes, from: channel.media.address) } }
      }
    }
    guard let core else { return }
    while let message = core.takeMessage() {
      guard let socket = sockets[message.connection], !socket.isDead else { continue }
      fly { socket.take(.message(message.text)) }
    }
    while let end = core.takeDisconnect() {
      guard let socket = sockets.removeValue(forKey: end.connection) else { continue }
      fly { socket.end() }
    }
    let datagrams = outgoing.datagrams
    outgoing.datagrams = []
    for datagram in datagrams {
      guard let media = media[datagram.to], media.isOpen else { continue }
      fly { [self] in
        media.channel.receive(datagram.bytes, from: Self.relayAddress, now)
        media.channel.user.hasNews = true
      }
    }
  }

  private func arrive(_ bytes: [UInt8], from source: SocketAddress) {
    memory.copyBytes(from: bytes)
    core?.received(
      datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: source, local: 0,
      nowNanoseconds: now)
  }

  private func fly(_ time: Int? = nil, _ arrive: @escaping () -> Void) {
    let flight = Flight(time: now + (time ?? delay), arrive: arrive)
    // The next one to arrive is last.
    let place = flights.lastIndex { $0.time > flight.time }.map { $0 + 1 } ?? 0
    flights.insert(flight, at: place)
  }
}

/// A WebSocket of a session.
final class RigSocket {
  var number: UInt64?
  /// Whether it carries nothing any more, and does not end.
  var isDead = false
  private weak var user: SessionUser?

  init(_ user: SessionUser) { self.user = user }

  func take(_ event: SignallingEvent) { if !isDead { user?.take(event, from: self) } }

  func end() { user?.take(.closed, from: self) }

  func fail() { user?.take(.failed(.init(.refused, "wss://relay.example/")), from: self) }
}

/// Datagrams of a membership, at an address of its own.
final class RigMedia {
  let address: SocketAddress
  unowned let channel: SessionChannel
  /// Whether the network carries them.
  var isOpen = true
  private var sent: [[UInt8]] = []

  init(_ address: SocketAddress, _ channel: SessionChannel) {
    self.address = address
    self.channel = channel
  }

  func send(_ bytes: [UInt8]) { sent.append(bytes) }

  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }
}

/// A user with a session and its channels.
final class SessionUser {
  let session: RelaySession
  let identity: UserIdentity
  private(set) var channels: [SessionChannel] = []
  /// Events of the session, each with its time in ms.
  private(set) var log: [String] = []
  /// Messages of other users, each behind its sender.
  private(set) var received: [String] = []
  /// Outcomes of the messages to other users.
  private(set) var outcomes: [MessageOutcome] = []
  /// Number of WebSockets so far.
  private(set) var socketCount = 0
  private(set) var socket: RigSocket?
  /// Whether output may wait.
  var hasNews = true
  /// Time of the next poll.
  var deadline = 0
  private unowned let rig: SessionRig
  private var seed: UInt64

  init(_ identity: UserIdentity, _ rig: SessionRig, seed: UInt64) {
    self.identity = identity
    self.rig = rig
    self.seed = seed
    session = RelaySession(
      RelaySessionOptions(relay: "wss://relay.example/", user: identity == .uid(0) ? nil : identity),
      random: SeededGenerator(seed: seed))
  }

  /// Joins a channel with a token of its own, or the given one.
  @discardableResult
  func join(
    _ channel: String, _ credential: SessionCredential? = nil, limitNanoseconds: Int? = nil
  ) -> SessionChannel {
    seed += 1
    let new = SessionChannel(
      ChannelMembership(
        ChannelMembershipOptions(
          credential: credential ?? SessionRig.token(identity, channel: channel, at: rig.now / 1_000_000),
          channel: ChannelName(channel)!, user: identity,
          settings: ChannelSettings(role: .broadcaster, publishes: true), joinLimitNanoseconds: limitNanoseconds),
        in: session,
        certificate: SessionRig.certificate, random: SeededGenerator(seed: seed)), of: self, rig)
    channels.append(new)
    new.membership.start(nowNanoseconds: rig.now)
    return new
  }

  subscript(channel: String) -> SessionChannel { channels.last { $0.membership.channel.text == channel }! }

  /// Ends the WebSocket, as a lost connection does.
  func cutSocket() {
    guard let socket else { return }
    rig.close(socket)
    socket.end()
  }

  func take(_ event: SignallingEvent, from socket: RigSocket) {
    guard socket === self.socket else { return }
    hasNews = true
    switch event {
    case .opened: session.signallingOpened(nowNanoseconds: rig.now)
    case .message(let text): session.receive(text, nowNanoseconds: rig.now)
    case .closed:
      self.socket = nil
      session.signallingClosed(nowNanoseconds: rig.now)
    case .failed(let error):
      self.socket = nil
      session.signallingFailed(error, nowNanoseconds: rig.now)
    }
  }

  func flush(_ now: Int) {
    var isActive = true
    while isActive {
      isActive = false
      while let command = session.takeCommand() {
        isActive = true
        run(command)
      }
      for channel in channels { isActive = channel.flush(now) || isActive }
      while let event = session.takeEvent() {
        isActive = true
        note(event, now)
      }
    }
  }

  private func note(_ event: SessionEvent, _ now: Int) {
    switch event {
    case .message(.uid(let uid), let body): received.append("\(uid): \(body)")
    case .message(.account(let account), let body): received.append("\(account): \(body)")
    case .messageAnswered(_, let outcome): outcomes.append(outcome)
    default: log.append("\(now / 1_000_000) \(event.summary)")
    }
  }

  private func run(_ command: SignallingCommand) {
    switch command {
    case .open:
      if let socket { rig.close(socket) }
      let new = RigSocket(self)
      socket = new
      socketCount += 1
      rig.open(new)
    case .send(let text): if let socket { rig.send(text, on: socket) }
    case .close:
      if let socket { rig.close(socket) }
      socket = nil
    }
  }
}

/// A channel of a user, its events and its packets.
final class SessionChannel {
  let membership: ChannelMembership
  unowned let user: SessionUser
  private(set) var media: RigMedia!
  /// Events, each with its time in ms.
  private(set) var log: [String] = []
  private(set) var events: [ChannelEvent] = []
  /// Payloads of the packets that have come, in order.
  private(set) var payloads: [[UInt8]] = []
  private var sequenceNumber: UInt16 = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(_ membership: ChannelMembership, of user: SessionUser, _ rig: SessionRig) {
    self.membership = membership
    self.user = user
    media = rig.makeMedia(self)
  }

  deinit { memory.deallocate() }

  func forget() { (log, events, payloads) = ([], [], []) }

  /// Sends a packet with a payload to the others of the channel.
  func send(_ payload: [UInt8], _ now: Int) {
    guard let ssrc = membership.ownSSRC else { return }
    sequenceNumber &+= 1
    let plain: [UInt8] =
      [0x80, 111, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 255), 0, 0, 0, 1]
      + withUnsafeBytes(of: ssrc.bigEndian) { Array($0) } + payload
    memory.copyBytes(from: plain)
    guard let count = membership.protect(memory, byteCount: plain.count, isRTCP: false, nowNanoseconds: now) else {
      return
    }
    media.send(Array(memory[..<count]))
  }

  func receive(_ bytes: [UInt8], from address: SocketAddress, _ now: Int) {
    memory.copyBytes(from: bytes)
    let media = membership.receive(
      UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: address, nowNanoseconds: now)
    guard case .rtp(let count) = media else { return }
    let packet = UnsafeRawBufferPointer(rebasing: memory[..<count])
    guard let view = try? RTPPacketView(parsing: packet) else { return }
    payloads.append(Array(packet[view.payloadRange]))
  }

  /// - Returns: Whether there were any events.
  func flush(_ now: Int) -> Bool {
    while let datagram = membership.takeDatagram() { media.send(datagram.bytes) }
    var isActive = false
    while let event = membership.takeEvent() {
      isActive = true
      events.append(event)
      log.append("\(now / 1_000_000) \(event.summary)")
    }
    return isActive
  }
}

extension SessionEvent {
  /// Short text for exact lists.
  fileprivate var summary: String {
    switch self {
    case .opened(let isResumed, _): isResumed ? "opened resumed" : "opened new"
    case .interrupted: "interrupted"
    case .closed(let error): error.map { "closed \($0.code.rawValue)" } ?? "closed"
    case .message, .messageAnswered: "message"
    case .presenceAnswered(_, let isOnline): isOnline ? "online" : "offline"
    case .tokenWillExpire(let milliseconds): "expires in \(milliseconds)"
    case .tokenRequested: "token requested"
    case .tokenRenewed(let milliseconds): "renewed for \(milliseconds)"
    case .granted: "granted"
    case .refused(_, let error): "refused \(error.code.rawValue)"
    }
  }
}
