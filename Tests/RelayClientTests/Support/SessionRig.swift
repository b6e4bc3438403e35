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
  /// Whether the relay gets no messages, and opens WebSockets all the same.
  var isDeaf = false
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

  func open(_ socket: RigSocket) {
    fly(2 * delay) { [self] in
      guard let core else { return socket.fail() }
      socketCount += 1
      sockets[socketCount] = socket
      socket.number = socketCount
      core.opened(socketCount, from: SocketAddress(host: "198.51.100.7", port: 9)!, nowNanoseconds: now)
      socket.take(.opened)
    }
  }

  func send(_ text: String, on socket: RigSocket) {
    fly { [self] in
      guard let number = socket.number, sockets[number] === socket, !socket.isDead, !isDeaf else { return }
      core?.received(Array(text.utf8), on: number, nowNanoseconds: now)
    }
  }

  func close(_ socket: RigSocket) {
    fly { [self] in
      guard let number = socket.number, sockets.removeValue(forKey: number) != nil else { return }
      core?.closed(number, nowNanoseconds: now)
    }
  }

  func makeMedia() -> RigMedia {
    portCount = portCount % 50_000 + 1
    let new = RigMedia(SocketAddress(host: "198.51.100.7", port: 10_000 + portCount)!)
    media[new.address] = new
    return new
  }

  /// Forgets an address whose membership has ended.
  func remove(_ ended: RigMedia) { if media[ended.address] === ended { media[ended.address] = nil } }

  private func exchange() {
    for user in users where user.hasNews {
      user.hasNews = false
      user.flush(now)
      user.deadline = user.session.nextDeadlineNanoseconds ?? .max
      for media in user.media {
        let sent = media.takeSent()
        guard media.isOpen, media.isUplinkOpen else { continue }
        for bytes in sent { fly { [self] in arrive(bytes, from: media.address) } }
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
        media.receive(datagram.bytes, Self.relayAddress, now)
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
