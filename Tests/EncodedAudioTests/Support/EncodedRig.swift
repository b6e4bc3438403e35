import Platform
import RTP
import Relay
import RelayTestSupport
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import EncodedAudio

/// Users with packets as they are and a relay on a virtual clock. Datagrams cross links; signalling arrives at once.
final class EncodedRig {
  /// Link of a user, in both directions.
  struct Link {
    var delayNanoseconds = 0
    /// Whether a packet of sound from the relay is lost, by its number on the link, retransmissions included.
    var losesDown: (Int) -> Bool = { _ in false }
    /// Whether a packet of sound to the relay is lost, by its number on the link.
    var losesUp: (Int) -> Bool = { _ in false }
    var downCount = 0
    var upCount = 0
  }

  /// User of the rig, and the packets that it has received.
  final class User {
    let number: Int
    fileprivate(set) var membership: EncodedMembership!
    fileprivate(set) var packets: [UInt32: [EncodedPacket]] = [:]
    fileprivate(set) var hasJoined = false
    /// Whether packets are kept in `packets`.
    var keepsPackets = true
    fileprivate var isMeasured = false

    private var outlet: User?

    fileprivate init(_ number: Int) { self.number = number }

    /// Forwards the packets of all users from now on.
    func forwards(to outlet: User) { self.outlet = outlet }

    fileprivate func take(_ packet: EncodedPacket, of uid: UInt32) {
      if keepsPackets { packets[uid, default: []].append(packet) }
      try? outlet?.membership.forward(packet)
    }
  }

  static let millisecond = 1_000_000
  let clock = VirtualClock()
  var links: [Int: Link] = [:]
  /// Shortest step of time, for many users.
  var quantumNanoseconds = 0
  private(set) var users: [User] = []
  private let core: RelayCore
  private let networks: MemoryNetworks
  private let outgoing = Outgoing()
  private var flights: [(time: Int, run: () -> Void)] = []
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress)] = []
  }

  init(_ change: (inout RelayConfiguration) -> Void = { _ in }) {
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: MemoryNetworks.app, secret: nil, allowsAppIDOnly: true)],
      mediaAddresses: [MemoryNetworks.relayAddress])
    change(&configuration)
    let outgoing = outgoing
    core = RelayCore(
      configuration, certificate: MemoryNetworks.certificate, nowNanoseconds: 0, unixMilliseconds: 1_800_000_000_000
    ) { bytes, to, _ in outgoing.datagrams.append((Array(bytes), to)) }
    networks = MemoryNetworks(core, clock)
  }

  deinit { memory.deallocate() }

  /// Adds a user that joins at once.
  func join(uid: UInt32, channel: String = "room", _ change: (inout EncodedChannelOptions) -> Void = { _ in }) -> User {
    let user = User(users.count)
    users.append(user)
    var options = EncodedChannelOptions(user: .uid(uid))
    change(&options)
    let network = networks.make(user.number)
    user.membership = EncodedMembership(
      relay: "ws://relay.example/", options, channel: ChannelName(channel)!, credential: .app(MemoryNetworks.app),
      certificate: MemoryNetworks.certificate, clock: clock, unixNanoseconds: 1_800_000_000_000_000_000,
      random: SeededGenerator(seed: UInt64(uid)), networks: (network, network),
      onEvent: { [unowned user] event in if case .joined = event { user.hasJoined = true } },
      onPacket: { [unowned user] uid, packet in user.take(packet, of: uid) })
    user.membership.start()
    return user
  }

  /// Runs for a time, in milliseconds.
  func run(_ milliseconds: Int) {
    let end = clock.nowNanoseconds + milliseconds * Self.millisecond
    var turnsAtOnce = 0
    while true {
      exchange()
      let next =
        (users.map(\.membership.nextDeadlineNanoseconds) + [core.nextDeadlineNanoseconds, flights.first?.time])
        .compactMap(\.self).min()
      guard let next, next < end else { break }
      turnsAtOnce = next > clock.nowNanoseconds ? 0 : turnsAtOnce + 1
      guard turnsAtOnce < 10_000 else {
        Issue.record("a deadline does not pass at \(clock.nowNanoseconds) ns")
        break
      }
      clock.wait(untilNanoseconds: min(end, max(next, clock.nowNanoseconds + quantumNanoseconds)))
      core.poll(nowNanoseconds: clock.nowNanoseconds)
      while let flight = flights.first, flight.time <= clock.nowNanoseconds {
        flights.removeFirst()
        flight.run()
      }
      for user in users where (user.membership.nextDeadlineNanoseconds ?? .max) <= clock.nowNanoseconds {
        pump(user)
      }
    }
    clock.wait(untilNanoseconds: end)
  }

  /// Processor time of the users that are measured, in nanoseconds.
  private(set) var measuredNanoseconds = 0

  /// Measures users from now on.
  func measure(_ users: [User]) { for user in users { user.isMeasured = true } }

  // MARK: Private

  private func pump(_ user: User) {
    guard user.isMeasured else { return user.membership.pump() }
    measuredNanoseconds += threadNanoseconds { user.membership.pump() }
  }

  /// Passes on what waits, until nothing waits.
  private func exchange() {
    while true {
      while let message = core.takeMessage() { networks.deliver(message.text, to: message.connection) }
      while let end = core.takeDisconnect() { networks.close(end.connection) }
      for (number, bytes) in networks.takeSent() { rise(bytes, from: number) }
      let datagrams = outgoing.datagrams
      outgoing.datagrams = []
      for datagram in datagrams { fall(datagram.bytes, to: networks.number(of: datagram.to)) }
      let news = networks.takeNews()
      for number in news { pump(users[number]) }
      if news.isEmpty, datagrams.isEmpty { return }
    }
  }

  private func isSound(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { DatagramKind($0) } == .rtp }

  private func rise(_ bytes: [UInt8], from number: Int) {
    var link = links[number] ?? Link()
    if isSound(bytes) {
      link.upCount += 1
      links[number] = link
      if link.losesUp(link.upCount) { return }
    }
    fly(link.delayNanoseconds) { [self] in
      memory.copyBytes(from: bytes)
      core.received(
        datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: networks.address(of: number),
        local: 0, nowNanoseconds: clock.nowNanoseconds)
    }
  }

  private func fall(_ bytes: [UInt8], to number: Int) {
    var link = links[number] ?? Link()
    if isSound(bytes) {
      link.downCount += 1
      links[number] = link
      if link.losesDown(link.downCount) { return }
    }
    fly(link.delayNanoseconds) { [self] in networks.deliver(bytes, to: number) }
  }

  private func fly(_ delay: Int, _ run: @escaping () -> Void) {
    guard delay > 0 else { return run() }
    let time = clock.nowNanoseconds + delay
    flights.insert((time, run), at: flights.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0)
  }
}
