public import NetworkIO
public import Platform

/// A proxy between programs and a server that treats their datagrams as a bad network would, in both directions.
///
///     client ═▶ listening socket ═▶ link ═▶ socket of this client ═▶ target
///            ◀═                  ◀═ link ◀═                       ◀═
///
/// Each client gets its own links and its own socket, so the target can distinguish clients. If there are more clients
/// than the limit, the one quiet for longest is removed; its datagrams under way are not delivered.
///
/// Thread: one at a time.
public final class UDPProxy {
  /// Counters of one client's links.
  public struct ClientCounters: Sendable {
    /// Address of the client.
    public let client: SocketAddress
    /// Counters of the direction to the target.
    public let toTarget: ProxyDirection
    /// Counters of the direction back to the client.
    public let toClient: ProxyDirection
  }

  /// Counters of the links of removed clients.
  public struct FreedCounters: Hashable, Sendable {
    /// Number of removed clients.
    public internal(set) var clients = 0
    /// Counters of the direction to the target, for all removed clients together.
    public internal(set) var toTarget = ProxyDirection()
    /// Counters of the direction back to the removed clients.
    public internal(set) var toClient = ProxyDirection()
  }

  /// Largest number of clients served at once, by default.
  public static let usualClientLimit = 256
  /// Longest wait in nanoseconds, so that the caller regularly gets control.
  private static let longestWait = 100_000_000
  private static let longestBurst = 1_000

  private let conditions: NetworkConditions
  private let seed: UInt64
  private let isOneWay: Bool
  private let listener: UDPSocket
  private let target: SocketAddress
  private let clientLimit: Int
  private let clock: any EngineClock
  private var clients: [ProxyClient] = []
  private var byAddress: [SocketAddress: ProxyClient] = [:]
  private var knownCount: UInt32 = 0
  /// Datagrams from an unknown source to a client's socket, which were dropped. Other addresses and ports of the
  /// target's host are not unknown sources.
  public private(set) var foreignCount = 0
  /// Datagrams of senders that could not be served, because the system gave no socket for them.
  public private(set) var unservedCount = 0
  /// Counters of the datagrams of removed clients.
  public private(set) var freed = FreedCounters()

  /// Creates a proxy that listens for clients.
  ///
  /// - Parameters:
  ///   - listening: Address that clients send to; port 0 lets the system choose.
  ///   - target: Address that their datagrams go to.
  ///   - conditions: Conditions of the links.
  ///   - seed: Seed of the links.
  ///   - isOneWay: Whether datagrams back to clients pass unharmed.
  ///   - clientLimit: Largest number of clients served at once, so that a flood of addresses costs little. Traps below
  ///     1.
  ///   - clock: Clock of the links.
  /// - Throws: `NetworkError` if the address cannot be listened on, or datagrams would return to the proxy itself.
  public init(
    listening: SocketAddress, target: SocketAddress, conditions: NetworkConditions, seed: UInt64,
    isOneWay: Bool = false, clientLimit: Int = UDPProxy.usualClientLimit, clock: any EngineClock = SystemClock()
  ) throws(NetworkError) {
    precondition(clientLimit >= 1, "a proxy serves at least one client")
    guard !Self.isLoop(listening, target) else { throw NetworkError(.loop, listening.description) }
    self.clientLimit = clientLimit
    self.conditions = conditions
    self.seed = seed
    self.isOneWay = isOneWay
    self.target = target
    self.clock = clock
    listener = try UDPSocket(at: listening, watchesRefusals: true)
  }

  /// Address that clients send to.
  public var listeningAddress: SocketAddress { listener.localAddress }

  /// Counters of the datagrams by client, in the order in which the clients came.
  ///
  /// Removed clients are not included.
  public var counters: [ClientCounters] { clients.map(\.counters) }

  /// Waits for datagrams or until one is due, at most 0.1 s, and forwards them.
  public func step() { Self.step([self]) }

  /// Waits for datagrams of several proxies or until one is due, at most 0.1 s, and forwards them.
  public static func step(_ proxies: [UDPProxy]) {
    let limits = proxies.compactMap { proxy in
      proxy.nextDeadlineNanoseconds.map { $0 - proxy.clock.nowNanoseconds }
    }
    UDPSocket.wait(
      for: proxies.flatMap { [$0.listener] + $0.clients.map(\.socket) },
      atMostNanoseconds: min(longestWait, limits.min() ?? longestWait))
    for proxy in proxies {
      proxy.takeIn()
      proxy.giveOut()
    }
  }

  private var nextDeadlineNanoseconds: Int? {
    clients.flatMap { [$0.toTarget.nextDeadlineNanoseconds, $0.toClient.nextDeadlineNanoseconds] }
      .compactMap { $0 }.min()
  }

  private func takeIn() {
    listener.takeRefusals { address, _ in byAddress[address]?.isRefused() }
    // Bounded, so that a flood does not keep the caller here.
    for _ in 0..<Self.longestBurst {
      let came: Void? = listener.receive { bytes, address in
        let now = clock.nowNanoseconds
        guard let client = client(at: address, nowNanoseconds: now) else {
          unservedCount += 1
          return
        }
        client.lastUseNanoseconds = now
        client.toTarget.send(
          Array(bytes), byteCount: bytes.count + Bottleneck.headerByteCount, nowNanoseconds: now)
      }
      if came == nil { break }
    }
    for client in clients {
      client.takeRefusals()
      for _ in 0..<Self.longestBurst {
        let came: Void? = client.socket.receive { bytes, address in
          guard client.answers.accepts(address) else {
            foreignCount += 1
            return
          }
          client.lastUseNanoseconds = clock.nowNanoseconds
          client.toClient.send(
            Array(bytes), byteCount: bytes.count + Bottleneck.headerByteCount,
            nowNanoseconds: client.lastUseNanoseconds)
        }
        if came == nil { break }
      }
    }
  }

  private func giveOut() {
    let now = clock.nowNanoseconds
    for client in clients { client.giveOut(to: target, from: listener, nowNanoseconds: now) }
  }

  /// Finds the client at an address. At the limit, a new client takes the place of the one that has been quiet for
  /// longest.
  ///
  /// - Returns: The client; nil if the system gives no socket for it.
  private func client(at address: SocketAddress, nowNanoseconds now: Int) -> ProxyClient? {
    if let client = byAddress[address] { return client }
    guard
      let client = try? ProxyClient(
        address, index: knownCount &+ 1, target: target, conditions: conditions,
        backConditions: isOneWay ? .perfect : conditions, seed: seed, nowNanoseconds: now)
    else { return nil }
    knownCount &+= 1
    if clients.count == clientLimit { freeQuietest() }
    clients.append(client)
    byAddress[address] = client
    return client
  }

  private func freeQuietest() {
    let quietest = clients.indices.min { clients[$0].lastUseNanoseconds < clients[$1].lastUseNanoseconds }!
    let counters = clients[quietest].counters
    byAddress[counters.client] = nil
    clients.remove(at: quietest)
    freed.clients += 1
    freed.toTarget += counters.toTarget
    freed.toClient += counters.toClient
  }

  /// Returns whether a datagram sent to `target` arrives at `listening` again.
  private static func isLoop(_ listening: SocketAddress, _ target: SocketAddress) -> Bool {
    let (listening, target) = (listening.unmapped, target.unmapped)
    guard listening.port == target.port, listening.port != 0 else { return false }
    if listening.hasSameHost(as: target) { return true }
    // A socket at IPv6's address for all hears IPv4 as well.
    guard listening.isAny || target.isAny, listening.isIPv6 || !target.isIPv6 else { return false }
    let other = listening.isAny ? target : listening
    // Only an address of this machine can be bound to.
    return (try? UDPSocket(at: other.withPort(0))) != nil
  }
}
