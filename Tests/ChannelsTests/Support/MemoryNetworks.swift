import NetworkIO
import Platform
import Relay
import RelayClient
import RelayLoad

/// Networks of users in memory, on one side of a relay without sockets.
final class MemoryNetworks {
  private let core: RelayCore
  private let clock: VirtualClock
  private var networks: [Int: MemoryNetwork] = [:]
  private var owners: [UInt64: MemoryNetwork] = [:]
  private var connectionCount: UInt64 = 0
  private var sent: [(number: Int, bytes: [UInt8])] = []
  private var news: Set<Int> = []

  init(_ core: RelayCore, _ clock: VirtualClock) {
    self.core = core
    self.clock = clock
  }

  func make(_ number: Int) -> MemoryNetwork {
    let network = MemoryNetwork(number, self)
    networks[number] = network
    return network
  }

  func address(of number: Int) -> SocketAddress {
    SocketAddress(host: "198.51.100.7", port: UInt16(10_000 + number))!
  }

  func number(of address: SocketAddress) -> Int { Int(address.port) - 10_000 }

  // MARK: To the relay

  func open(_ network: MemoryNetwork) -> UInt64 {
    connectionCount += 1
    owners[connectionCount] = network
    core.opened(connectionCount, from: address(of: network.number), nowNanoseconds: clock.nowNanoseconds)
    notify(network, .opened)
    return connectionCount
  }

  func send(_ text: String, on connection: UInt64) {
    core.received(Array(text.utf8), on: connection, nowNanoseconds: clock.nowNanoseconds)
    news.insert(owners[connection]?.number ?? 0)
  }

  func end(_ connection: UInt64) {
    owners[connection] = nil
    core.closed(connection, nowNanoseconds: clock.nowNanoseconds)
  }

  func send(_ datagram: [UInt8], from number: Int) { sent.append((number, datagram)) }

  func takeSent() -> [(number: Int, bytes: [UInt8])] {
    defer { sent = [] }
    return sent
  }

  // MARK: From the relay

  func deliver(_ text: String, to connection: UInt64) {
    if let network = owners[connection] { notify(network, .message(text)) }
  }

  func close(_ connection: UInt64) {
    if let network = owners.removeValue(forKey: connection) { notify(network, .closed) }
  }

  func deliver(_ datagram: [UInt8], to number: Int) {
    networks[number]?.datagrams.append(datagram)
    news.insert(number)
  }

  /// Numbers of the users with news.
  func takeNews() -> [Int] {
    defer { news = [] }
    return news.sorted()
  }

  private func notify(_ network: MemoryNetwork, _ event: SignallingEvent) {
    network.events.append(event)
    news.insert(network.number)
  }
}

/// WebSockets and datagrams of one user in memory.
final class MemoryNetwork: SignallingNetwork, MediaNetwork {
  let number: Int
  var events: [SignallingEvent] = []
  var datagrams: [[UInt8]] = []
  let isClosing = false
  let sockets: [UDPSocket] = []
  private unowned let networks: MemoryNetworks
  private var connection: UInt64?
  private static let relayAddress = SocketAddress(host: "192.0.2.1", port: 4_000)!

  init(_ number: Int, _ networks: MemoryNetworks) {
    self.number = number
    self.networks = networks
  }

  func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError) {
    close(nowNanoseconds: now)
    connection = networks.open(self)
  }

  func send(_ message: String) { if let connection { networks.send(message, on: connection) } }

  func close(nowNanoseconds now: Int) {
    events = []
    if let connection { networks.end(connection) }
    connection = nil
  }

  func takeEvent(nowNanoseconds now: Int) -> SignallingEvent? { events.isEmpty ? nil : events.removeFirst() }

  func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    networks.send(Array(datagram), from: number)
  }

  func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool {
    guard !datagrams.isEmpty else { return false }
    datagrams.removeFirst().withUnsafeBytes { body($0, Self.relayAddress) }
    return true
  }

  func stop() {}
}
