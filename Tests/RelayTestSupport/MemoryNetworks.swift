package import NetworkIO
package import Platform
package import Relay
package import RelayClient
package import Signalling
package import WebRTC

/// Networks of users in memory, on one side of a relay without sockets.
package final class MemoryNetworks {
  /// App of the relay.
  package static let app = AppID("app")!
  /// Certificate of the relay.
  package static let certificate = DTLSCertificate(unixSeconds: 1_800_000_000)
  /// Address of the relay for datagrams.
  package static let relayAddress = SocketAddress(host: "192.0.2.1", port: 4_000)!
  private let core: RelayCore
  private let clock: VirtualClock
  private var networks: [Int: MemoryNetwork] = [:]
  private var owners: [UInt64: MemoryNetwork] = [:]
  private var connectionCount: UInt64 = 0
  private var sent: [(number: Int, bytes: [UInt8])] = []
  private var news: Set<Int> = []
  /// Time of everything between a user and the relay, in nanoseconds.
  package var delayNanoseconds = 0
  private var underWay: [(time: Int, run: () -> Void)] = []

  package init(_ core: RelayCore, _ clock: VirtualClock) {
    self.core = core
    self.clock = clock
  }

  package func make(_ number: Int) -> MemoryNetwork {
    let network = MemoryNetwork(number, self)
    networks[number] = network
    return network
  }

  package func address(of number: Int) -> SocketAddress {
    SocketAddress(host: "198.51.100.7", port: UInt16(10_000 + number))!
  }

  package func number(of address: SocketAddress) -> Int { Int(address.port) - 10_000 }

  /// Lets everything arrive whose time has come.
  package func arrive() {
    while let first = underWay.first, first.time <= clock.nowNanoseconds {
      underWay.removeFirst()
      first.run()
    }
  }

  private func afterDelay(_ run: @escaping () -> Void) {
    guard delayNanoseconds > 0 else { return run() }
    underWay.append((clock.nowNanoseconds + delayNanoseconds, run))
  }

  // MARK: To the relay

  func open(_ network: MemoryNetwork) -> UInt64 {
    connectionCount += 1
    owners[connectionCount] = network
    core.opened(connectionCount, from: address(of: network.number), nowNanoseconds: clock.nowNanoseconds)
    notify(network, .opened)
    return connectionCount
  }

  func send(_ text: String, on connection: UInt64) {
    afterDelay { [self] in
      core.received(Array(text.utf8), on: connection, nowNanoseconds: clock.nowNanoseconds)
      news.insert(owners[connection]?.number ?? 0)
    }
  }

  func end(_ connection: UInt64) {
    owners[connection] = nil
    core.closed(connection, nowNanoseconds: clock.nowNanoseconds)
  }

  func send(_ datagram: [UInt8], from number: Int) {
    afterDelay { [self] in
      sent.append((number, datagram))
      news.insert(number)
    }
  }

  package func takeSent() -> [(number: Int, bytes: [UInt8])] {
    defer { sent = [] }
    return sent
  }

  // MARK: From the relay

  package func deliver(_ text: String, to connection: UInt64) {
    afterDelay { [self] in if let network = owners[connection] { notify(network, .message(text)) } }
  }

  package func close(_ connection: UInt64) {
    if let network = owners.removeValue(forKey: connection) { notify(network, .closed) }
  }

  package func deliver(_ datagram: [UInt8], to number: Int) {
    afterDelay { [self] in
      networks[number]?.datagrams.append(datagram)
      news.insert(number)
    }
  }

  /// Numbers of the users with news.
  package func takeNews() -> [Int] {
    defer { news = [] }
    return news.sorted()
  }

  private func notify(_ network: MemoryNetwork, _ event: SignallingEvent) {
    network.events.append(event)
    news.insert(network.number)
  }
}

/// WebSockets and datagrams of one user in memory.
package final class MemoryNetwork: SignallingNetwork, MediaNetwork {
  let number: Int
  var events: [SignallingEvent] = []
  var datagrams: [[UInt8]] = []
  package let isClosing = false
  package let sockets: [UDPSocket] = []
  private unowned let networks: MemoryNetworks
  private var connection: UInt64?

  init(_ number: Int, _ networks: MemoryNetworks) {
    self.number = number
    self.networks = networks
  }

  package func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError) {
    close(nowNanoseconds: now)
    connection = networks.open(self)
  }

  package func send(_ message: String) { if let connection { networks.send(message, on: connection) } }

  package func close(nowNanoseconds now: Int) {
    events = []
    if let connection { networks.end(connection) }
    connection = nil
  }

  package func takeEvent(nowNanoseconds now: Int) -> SignallingEvent? { events.isEmpty ? nil : events.removeFirst() }

  package func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    networks.send(Array(datagram), from: number)
  }

  package func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool {
    guard !datagrams.isEmpty else { return false }
    datagrams.removeFirst().withUnsafeBytes { body($0, MemoryNetworks.relayAddress) }
    return true
  }

  package func stop() {}
}
