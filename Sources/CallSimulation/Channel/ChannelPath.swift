import Channels
import Metering
import NetworkIO
import NetworkSimulation
import Platform
import Signalling

/// A user's path to the relay: an uplink and a downlink for datagrams, and WebSockets.
///
/// Thread: the simulation's.
final class ChannelPath: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a simulation runs on one thread.
  let uid: UInt32
  private var up: ImpairedLink<ChannelDatagram>
  private var down: ImpairedLink<ChannelDatagram>
  /// Time of the next arrival of each link; `Int.max` without one.
  private var nextUpNanoseconds = Int.max
  private var nextDownNanoseconds = Int.max
  /// The user's host, with the port of the newest datagrams.
  private(set) var address: SocketAddress
  /// WebSockets that are not at their end.
  private(set) var sockets: [SimulatedWebSocket] = []
  /// Delay from the user's capture to the packets, in nanoseconds.
  var sendDelayNanoseconds = 0
  /// The voice packet that the engine encrypts and sends next.
  private var voice: CallPacket?
  /// Called with a voice packet that the uplink has taken, its user and channel, and the uplink's counters of it.
  var onVoice: ((CallPacket, SpeakerID, _ effect: LinkCounters) -> Void)?
  /// Called with each datagram that the user sends.
  var onSend: ((ChannelDatagram, _ nowNanoseconds: Int) -> Void)?
  private let hostText: String
  private var hostChanges: UInt8 = 0
  private let clock: VirtualClock
  private var nextNumber: UInt64
  private var sessions: [Weak<SimulatedSignalling>] = []
  private var memberships: [Weak<SimulatedMedia>] = []

  /// Number of the relay on links.
  private static let relay = UInt32.max
  /// Most WebSockets of a host. The first one of host 3 has number 3 times this + 1.
  static let socketsPerUser: UInt64 = 1 << 24

  /// - Parameters:
  ///   - uid: The user.
  ///   - index: Number of the user's host.
  ///   - clock: Clock of the simulation.
  init(_ uid: UInt32, index: Int, _ conditions: NetworkConditions, seed: UInt64, clock: VirtualClock) {
    self.uid = uid
    self.clock = clock
    up = ImpairedLink(
      conditions, seed: seed, link: LinkIdentity(sender: uid, receiver: Self.relay), startNanoseconds: 0)
    down = ImpairedLink(
      conditions, seed: seed, link: LinkIdentity(sender: Self.relay, receiver: uid), startNanoseconds: 0)
    hostText = "\(index >> 16 & 255).\(index >> 8 & 255).\(index & 255)"
    address = SocketAddress(host: "10.\(hostText)", port: 40_000)!
    nextNumber = UInt64(index) * Self.socketsPerUser
  }

  /// Makes the WebSockets of a session.
  func makeSignalling() -> SimulatedSignalling {
    let session = SimulatedSignalling(self)
    sessions.removeAll { $0.object == nil }
    sessions.append(Weak(object: session))
    return session
  }

  /// Makes the datagrams of a membership of a channel, at a port of their own.
  func makeMedia(in channel: ChannelName) -> SimulatedMedia {
    let media = SimulatedMedia(self, nextPort(), channel: channel)
    memberships.removeAll { $0.object == nil }
    memberships.append(Weak(object: media))
    return media
  }

  /// Addresses of the user's datagrams.
  var mediaAddresses: [SocketAddress] { memberships.compactMap { $0.object?.address } }

  /// Channel of the datagrams at an address; nil for another address.
  func channel(at address: SocketAddress) -> ChannelName? { media(at: address)?.channel }

  /// Gives the user other ports, as a new address translation does.
  func moveAddress() { for media in memberships { media.object?.address = nextPort() } }

  /// Moves the user to another network, in which it has another host's address and none of its TCP connections.
  func moveNetwork() {
    hostChanges += 1
    let host = "\(10 + hostChanges).\(hostText)"
    address = SocketAddress(host: host, port: address.port)!
    for media in memberships {
      media.object.map { $0.address = SocketAddress(host: host, port: $0.address.port)! }
    }
    sockets = []
  }

  private func nextPort() -> SocketAddress {
    address = address.withPort(address.port &+ 1)
    return address
  }

  private func media(at address: SocketAddress) -> SimulatedMedia? {
    memberships.lazy.compactMap(\.object).first { $0.address == address }
  }

  private func take(_ event: SignallingEvent, from socket: SimulatedWebSocket) {
    for session in sessions { session.object?.take(event, from: socket) }
  }

  /// Changes the conditions of one direction.
  func change(isUp: Bool, _ changes: [NetworkChange]) throws {
    let now = clock.nowNanoseconds
    if isUp {
      up.change(to: try up.conditions.applying(changes), nowNanoseconds: now)
      for socket in sockets { socket.toRelay.change(to: up.conditions, nowNanoseconds: now) }
    } else {
      down.change(to: try down.conditions.applying(changes), nowNanoseconds: now)
      for socket in sockets { socket.toUser.change(to: down.conditions, nowNanoseconds: now) }
    }
  }

  /// Time of the next arrival at either end; nil if nothing is under way.
  var nextNanoseconds: Int? {
    let next = min(nextUpNanoseconds, nextMessageAtRelayNanoseconds, nextAtUserNanoseconds)
    return next == .max ? nil : next
  }

  /// Time of the next arrival at the user; `Int.max` without one.
  var nextAtUserNanoseconds: Int {
    sockets.reduce(nextDownNanoseconds) { min($0, $1.toUser.nextNanoseconds ?? .max) }
  }

  /// Time of the next datagram's arrival at the relay; `Int.max` without one.
  var nextDatagramAtRelayNanoseconds: Int { nextUpNanoseconds }

  /// Time of the next message's arrival at the relay; `Int.max` without one.
  var nextMessageAtRelayNanoseconds: Int {
    sockets.reduce(.max) { min($0, $1.toRelay.nextNanoseconds ?? .max) }
  }

  // MARK: The user's end

  func openSocket() -> SimulatedWebSocket {
    nextNumber += 1
    let socket = SimulatedWebSocket(number: nextNumber)
    sockets.append(socket)
    socket.toRelay.send(.connect, over: up.conditions, nowNanoseconds: clock.nowNanoseconds)
    return socket
  }

  /// Closes a WebSocket behind its messages; a handshake that is not at its end ends here.
  func close(_ socket: SimulatedWebSocket) {
    if socket.isKnownToRelay { send(.closed, on: socket) } else { remove(socket) }
  }

  func send(_ content: SimulatedWebSocket.Content, on socket: SimulatedWebSocket) {
    socket.toRelay.send(content, over: up.conditions, nowNanoseconds: clock.nowNanoseconds)
  }

  /// Notes a voice packet before its encryption.
  func note(_ packet: UnsafeRawBufferPointer) {
    let now = clock.nowNanoseconds
    voice = CallPacket(
      bytes: Array(packet), sentNanoseconds: now, capturedNanoseconds: now - sendDelayNanoseconds)
  }

  func send(_ bytes: UnsafeRawBufferPointer, from media: SimulatedMedia) {
    let now = clock.nowNanoseconds
    var datagram = ChannelDatagram(bytes: Array(bytes), address: media.address, voice: voice)
    if voice != nil { datagram.speaker = SpeakerID(uid: uid, channelID: media.channel.text) }
    voice = nil
    onSend?(datagram, now)
    let before = up.counters
    up.send(datagram, voice: datagram.voice != nil, nowNanoseconds: now)
    nextUpNanoseconds = up.nextDeadlineNanoseconds ?? .max
    if let packet = datagram.voice, let speaker = datagram.speaker { onVoice?(packet, speaker, up.counters - before) }
  }

  /// Passes everything that has arrived at the user to its sessions and memberships.
  ///
  /// - Parameter onVoice: Called with the speaker of each voice packet, and the downlink's counters of it.
  /// - Returns: Whether anything has arrived.
  func deliverToUser(onVoice: (SpeakerID, _ effect: LinkCounters) -> Void) -> Bool {
    let now = clock.nowNanoseconds
    var hasArrived = false
    var before = down.counters
    while nextDownNanoseconds <= now, let delivery = down.receive(nowNanoseconds: now) {
      nextDownNanoseconds = down.nextDeadlineNanoseconds ?? .max
      defer { before = down.counters }
      // A user that has moved no longer has the address.
      guard let media = media(at: delivery.datagram.address) else { continue }
      hasArrived = true
      if let speaker = delivery.datagram.speaker { onVoice(speaker, down.counters - before) }
      media.datagrams.append(delivery.datagram.bytes)
    }
    for socket in sockets {
      while let content = socket.toUser.receive(nowNanoseconds: now) {
        hasArrived = true
        switch content {
        case .accept: socket.toRelay.send(.upgrade, over: up.conditions, nowNanoseconds: now)
        case .opened: take(.opened, from: socket)
        case .message(let text): take(.message(text), from: socket)
        case .closed:
          take(.closed, from: socket)
          remove(socket)
        case .connect, .upgrade: break
        }
      }
    }
    return hasArrived
  }

  // MARK: The relay's end

  /// Returns the datagram that has arrived at the relay next; nil if there is none.
  func receiveAtRelay(nowNanoseconds now: Int) -> ChannelDatagram? {
    guard nextUpNanoseconds <= now, let delivery = up.receive(nowNanoseconds: now) else { return nil }
    nextUpNanoseconds = up.nextDeadlineNanoseconds ?? .max
    return delivery.datagram
  }

  func sendToUser(_ content: SimulatedWebSocket.Content, on socket: SimulatedWebSocket) {
    socket.toUser.send(content, over: down.conditions, nowNanoseconds: clock.nowNanoseconds)
  }

  /// Sends a datagram of the relay.
  ///
  /// - Returns: The downlink's counters of it.
  func sendToUser(_ datagram: ChannelDatagram) -> LinkCounters {
    let before = down.counters
    down.send(datagram, voice: datagram.speaker != nil, nowNanoseconds: clock.nowNanoseconds)
    nextDownNanoseconds = down.nextDeadlineNanoseconds ?? .max
    return down.counters - before
  }

  func socket(_ number: UInt64) -> SimulatedWebSocket? { sockets.first { $0.number == number } }

  func remove(_ socket: SimulatedWebSocket) { sockets.removeAll { $0 === socket } }
}

extension ImpairedLink where Datagram == ChannelDatagram {
  fileprivate mutating func send(_ datagram: ChannelDatagram, voice: Bool, nowNanoseconds now: Int) {
    send(
      datagram, byteCount: datagram.bytes.count + Bottleneck.headerByteCount, lane: voice ? .voice : .other,
      nowNanoseconds: now)
  }
}

private struct Weak<Object: AnyObject> {
  weak var object: Object?
}
