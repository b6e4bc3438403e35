import Platform
import RTP
import Relay
import RelayClient
import RelayLoad
import RelayTestSupport
import Signalling
import TestSupport
import WebRTC

/// The users of a load and a relay on a virtual clock. Datagrams cross links; messages of signalling arrive at once.
final class LoadRig {
  /// Link from the relay to a user. Only packets of sound are lost or held.
  struct Link {
    var delayNanoseconds = 0
    /// Every so many packets one is lost; 0 for none.
    var lossPeriod = 0
    /// Every so many packets one is held for `holdNanoseconds`; 0 for none.
    var holdPeriod = 0
    var holdNanoseconds = 0
    var packetCount = 0
  }

  static let millisecond = 1_000_000

  let clock = VirtualClock()
  let users: LoadUsers
  /// Links by the number of the user.
  var links: [Int: Link] = [:]
  private let core: RelayCore
  private let networks: MemoryNetworks
  private let outgoing: Outgoing
  private var flights: [(time: Int, order: Int, number: Int, bytes: [UInt8])] = []
  private var flightCount = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress)] = []
  }

  /// Times at which packets of sound left the users, within the length of a packet.
  private(set) var sendingPhases: Set<Int> = []

  init(
    publishers: Int, listeners: Int, channels: Int = 1, isInStep: Bool = false,
    _ change: (inout RelayConfiguration) -> Void = { _ in }
  ) {
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: MemoryNetworks.app, secret: nil, allowsAppIDOnly: true)],
      mediaAddresses: [MemoryNetworks.relayAddress])
    change(&configuration)
    let outgoing = Outgoing()
    self.outgoing = outgoing
    core = RelayCore(
      configuration, certificate: MemoryNetworks.certificate, nowNanoseconds: 0, unixMilliseconds: 1_800_000_000_000
    ) { bytes, to, _ in outgoing.datagrams.append((Array(bytes), to)) }
    let networks = MemoryNetworks(core, clock)
    self.networks = networks
    var plan = LoadPlan(
      relay: "ws://relay.example/", publisherCount: publishers, listenerCount: listeners,
      channels: (0..<channels).map { ChannelName("room\($0)")! }
    ) { _, _, _ in .app(MemoryNetworks.app) }
    plan.joinsPerSecond = 100
    plan.isInStep = isInStep
    let generator = SeededGenerator(seed: 1)
    users = LoadUsers(plan, clock: clock, certificate: MemoryNetworks.certificate, makeRandom: { generator }) {
      number in
      let network = networks.make(number)
      return (network, network)
    }
  }

  deinit { memory.deallocate() }

  /// Lets all users join, then counts for a time, and waits for the packets under way.
  func measure(milliseconds: Int) {
    run(2_000)
    users.beginCounting()
    run(milliseconds)
    users.endSending()
    run(500)
  }

  /// Runs for a time, in milliseconds.
  func run(_ milliseconds: Int) {
    let end = clock.nowNanoseconds + milliseconds * Self.millisecond
    while true {
      exchange()
      let next = [users.nextDeadlineNanoseconds, core.nextDeadlineNanoseconds, flights.first?.time]
        .compactMap(\.self).min()
      guard let next, next < end else { break }
      clock.wait(untilNanoseconds: next)
      core.poll(nowNanoseconds: clock.nowNanoseconds)
      users.poll()
      while let flight = flights.first, flight.time <= clock.nowNanoseconds {
        flights.removeFirst()
        networks.deliver(flight.bytes, to: flight.number)
      }
    }
    clock.wait(untilNanoseconds: end)
  }

  /// Passes on what waits, until nothing waits.
  private func exchange() {
    while true {
      while let message = core.takeMessage() { networks.deliver(message.text, to: message.connection) }
      while let end = core.takeDisconnect() { networks.close(end.connection) }
      for (number, bytes) in networks.takeSent() { receive(bytes, from: number) }
      let datagrams = outgoing.datagrams
      outgoing.datagrams = []
      for datagram in datagrams { fly(datagram.bytes, to: networks.number(of: datagram.to)) }
      let news = networks.takeNews()
      for number in news { users.serve(number) }
      if news.isEmpty, datagrams.isEmpty { return }
    }
  }

  private func receive(_ bytes: [UInt8], from number: Int) {
    if bytes.withUnsafeBytes({ DatagramKind($0) }) == .rtp {
      sendingPhases.insert(clock.nowNanoseconds % (20 * Self.millisecond))
    }
    memory.copyBytes(from: bytes)
    core.received(
      datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: networks.address(of: number),
      local: 0, nowNanoseconds: clock.nowNanoseconds)
  }

  private func fly(_ bytes: [UInt8], to number: Int) {
    var link = links[number] ?? Link()
    var time = clock.nowNanoseconds + link.delayNanoseconds
    if bytes.withUnsafeBytes({ DatagramKind($0) }) == .rtp {
      link.packetCount += 1
      links[number] = link
      if link.lossPeriod > 0, link.packetCount % link.lossPeriod == 0 { return }
      if link.holdPeriod > 0, link.packetCount % link.holdPeriod == 0 { time += link.holdNanoseconds }
    }
    flightCount += 1
    let flight = (time: time, order: flightCount, number: number, bytes: bytes)
    let place = flights.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    flights.insert(flight, at: place)
  }
}
