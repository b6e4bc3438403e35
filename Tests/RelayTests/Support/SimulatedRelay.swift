import Cryptography
import Foundation
import Platform
import RTP
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// A relay with its clients on a virtual clock. Datagrams take a delay each way, and some are lost by a seed; messages
/// of signalling arrive at once.
final class SimulatedRelay {
  static let certificates = (
    relay: DTLSCertificate(unixSeconds: 1_800_000_000), client: DTLSCertificate(unixSeconds: 1_800_000_000)
  )
  static let unixMilliseconds: Int64 = 1_800_000_000_000
  static let address = SocketAddress(host: "192.0.2.1", port: 4_000)!
  static let app = AppID("app-1")!
  static let otherApp = AppID("app-2")!
  static let openApp = AppID("open")!

  private struct Flight {
    let time: Int
    let number: Int
    let toRelay: Bool
    let address: SocketAddress
    /// Worker of the relay that takes or has sent the datagram.
    let worker: Int
    let bytes: [UInt8]
  }

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress, local: Int)] = []
    /// Bytes by destination, and the local sockets that they left from.
    var byteCounts: [SocketAddress: Int] = [:]
    var locals: [SocketAddress: Set<Int>] = [:]
    var observer: ((UnsafeRawBufferPointer, SocketAddress) -> Bool)?
  }

  let core: RelayCore
  var now = 0
  var delay = 10_000_000
  /// Loss of datagrams from and to the relay, 0...1.
  var loss = (toRelay: 0.0, fromRelay: 0.0)
  /// Loss of an address's own downlink.
  var downlinkLoss: [SocketAddress: Double] = [:]
  /// Addresses without a network.
  var cut: Set<SocketAddress> = []
  /// Connections that do not read, with the bytes that wait for them; reported to the core as by its server.
  var unread: [UInt64: Int] = [:]
  /// Whether an eavesdropper keeps the datagrams to the relay.
  var isCapturing = false
  private var captures: [(bytes: [UInt8], source: SocketAddress)] = []
  private(set) var clients: [SimulatedClient] = []
  private var clientCount = 0
  /// Datagrams from the relay so far.
  private(set) var sentCount = 0
  private let outgoing: Outgoing
  private var flights: [Flight] = []
  private var flightNumber = 0
  private var generator: SeededGenerator
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)

  init(seed: UInt64 = 1, constant: UInt64? = nil, _ change: (inout RelayConfiguration) -> Void = { _ in }) {
    var configuration = Self.configuration
    // AUDIOPIPE_RELAY_WORKERS=3 runs the suites with several workers; tests that name a port or a socket then fail.
    configuration.workerCount = ProcessInfo.processInfo.environment["AUDIOPIPE_RELAY_WORKERS"].flatMap { Int($0) } ?? 1
    change(&configuration)
    let outgoing = Outgoing()
    self.outgoing = outgoing
    generator = SeededGenerator(seed: seed)
    let own = Box(SeededGenerator(seed: seed &+ 1))
    core = RelayCore(
      configuration, certificate: Self.certificates.relay, nowNanoseconds: 0, unixMilliseconds: Self.unixMilliseconds,
      random: { constant ?? own.value.next() }
    ) { bytes, to, local in
      guard outgoing.observer?(bytes, to) ?? true else { return }
      outgoing.datagrams.append((Array(bytes), to, local))
      outgoing.byteCounts[to, default: 0] += bytes.count
      outgoing.locals[to, default: []].insert(local)
    }
  }

  deinit { memory.deallocate() }

  private final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  static var configuration: RelayConfiguration {
    RelayConfiguration(
      apps: [
        RelayApp(id: app, secret: secret(1)), RelayApp(id: otherApp, secret: secret(2)),
        RelayApp(id: openApp, secret: nil, allowsAppIDOnly: true),
      ], mediaAddresses: [address])
  }

  static func secret(_ byte: UInt8) -> TokenSecret {
    try! TokenSecret(keyID: "k", bytes: [UInt8](repeating: byte, count: 16).span)
  }

  /// A token of the first app, for any channel or one, for an hour.
  static func token(
    uid: UInt32 = 0, account: String? = nil, channel: String = "lobby", role: TokenRole = .broadcaster,
    rights: TokenRights? = nil, app: AppID = SimulatedRelay.app, secret: UInt8 = 1, seconds: Int64 = 3_600,
    notBefore: Int64? = nil, relayTo: [String] = []
  ) -> String {
    let token = try! Token(
      app: app, scope: channel == "*" ? .anyChannel : .channel(ChannelName(channel)!),
      user: account.map { .account(UserAccount($0)!) } ?? .uid(uid), role: role, rights: rights,
      relayDestinations: relayTo.compactMap { ChannelName($0) }, notBefore: notBefore,
      expires: unixMilliseconds / 1_000 + seconds)
    return TokenSigner(Self.secret(secret)).sign(token)
  }

  /// A client with a connection, without a session.
  func client() -> SimulatedClient {
    clientCount += 1
    let client = SimulatedClient(self, number: clientCount)
    clients.append(client)
    core.opened(client.connection, from: client.signallingAddress, nowNanoseconds: now)
    return client
  }

  /// A client with a session.
  func client(_ token: String) -> SimulatedClient {
    let client = client()
    client.hello(token)
    return client
  }

  /// Forgets clients that take no more part: nothing comes from them, and nothing reaches them.
  func forgetClosed() { clients.removeAll(where: \.isGone) }

  func send(_ message: ClientMessage, on connection: UInt64) { send(text: message.text, on: connection) }

  func send(text: String, on connection: UInt64) {
    call { core.received(Array(text.utf8), on: connection, nowNanoseconds: now) }
    take()
  }

  func close(_ connection: UInt64) {
    call { core.closed(connection, nowNanoseconds: now) }
    take()
  }

  /// Bytes that the relay has sent to an address.
  func byteCount(to address: SocketAddress) -> Int { outgoing.byteCounts[address] ?? 0 }

  /// Address of a worker.
  static func address(of worker: Int) -> SocketAddress { address.withPort(address.port + UInt16(worker)) }

  /// Local sockets from which the relay has sent to an address.
  func locals(to address: SocketAddress) -> Set<Int> { outgoing.locals[address] ?? [] }

  /// Called with each datagram that the relay sends; it goes no further if the result is false.
  var observer: ((UnsafeRawBufferPointer, SocketAddress) -> Bool)? {
    get { outgoing.observer }
    set { outgoing.observer = newValue }
  }

  /// The newest datagram of a kind from an address; nil without one.
  func captured(_ kind: DatagramKind, from address: SocketAddress) -> [UInt8]? {
    captures.last { $0.source == address && $0.bytes.withUnsafeBytes { DatagramKind($0) } == kind }?.bytes
  }

  /// Gives the relay a datagram at once.
  func deliver(_ bytes: [UInt8], from source: SocketAddress, local: Int = 0, worker: Int? = nil) {
    bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    // Without another word, the worker of the first media connection.
    let worker = worker ?? core.forwarders.first { $0.transportCount > 0 }?.index ?? 0
    call {
      core.received(
        datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: source, local: local,
        worker: worker, nowNanoseconds: now)
    }
    take()
  }

  func transmit(
    _ bytes: [UInt8], from source: SocketAddress, to destination: SocketAddress = SimulatedRelay.address
  ) {
    if isCapturing { captures.append((bytes, source)) }
    guard !cut.contains(source), chance(loss.toRelay) else { return }
    fly(bytes, toRelay: true, source, Int(destination.port) - Int(Self.address.port))
  }

  /// Runs for a time, in milliseconds.
  func run(_ milliseconds: Int) {
    let end = now + milliseconds * 1_000_000
    while true {
      take()
      var next = [core.nextDeadlineNanoseconds, flights.first?.time].compactMap(\.self).min()
      for client in clients { next = [next, client.nextDeadlineNanoseconds].compactMap(\.self).min() }
      guard let next, next <= end else { break }
      now = max(now, next)
      call { core.poll(nowNanoseconds: now) }
      for client in clients { client.poll(now) }
      take()
      while let flight = flights.first, flight.time <= now {
        flights.removeFirst()
        if flight.toRelay {
          // Each worker has one socket.
          deliver(flight.bytes, from: flight.address, local: flight.worker, worker: flight.worker)
        } else {
          for client in clients where client.receive(flight.bytes, at: flight.address, from: flight.worker, now) {
            break
          }
        }
      }
    }
    now = end
  }

  /// Calls the core, and checks that it leaves every forwarder free.
  private func call(_ body: () -> Void) {
    // A test that has looked at a user's media holds its forwarder.
    core.leaveMedia()
    body()
    if core.holdsForwarder { Issue.record("the relay holds a forwarder behind a call") }
  }

  func take() {
    while let message = core.takeMessage() {
      unread[message.connection]? += message.text.utf8.count
      clients.first { $0.connection == message.connection }?.take(message.text)
    }
    for (connection, byteCount) in unread { core.setBacklog(byteCount, of: connection) }
    while let closing = core.takeDisconnect() {
      clients.first { $0.connection == closing.connection }?.closedCode = closing.code
    }
    let datagrams = outgoing.datagrams
    outgoing.datagrams = []
    sentCount += datagrams.count
    for datagram in datagrams where !cut.contains(datagram.to) {
      guard chance(downlinkLoss[datagram.to] ?? loss.fromRelay) else { continue }
      fly(datagram.bytes, toRelay: false, datagram.to, core.forwarders.count > 1 ? datagram.local : 0)
    }
    for client in clients { client.flush() }
  }

  private func fly(_ bytes: [UInt8], toRelay: Bool, _ address: SocketAddress, _ worker: Int) {
    flightNumber += 1
    let flight = Flight(
      time: now + delay, number: flightNumber, toRelay: toRelay, address: address, worker: worker, bytes: bytes)
    flights.append(flight)
    if flights.count > 1, flights[flights.count - 2].time > flight.time {
      flights.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    }
  }

  private func chance(_ loss: Double) -> Bool { loss <= 0 || Double.random(in: 0..<1, using: &generator) >= loss }
}
