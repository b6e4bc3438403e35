public import NetworkIO
public import Platform

/// Stands between programs and a server and treats their datagrams as a bad network would, both ways.
///
///     client ═▶ listening socket ═▶ link ═▶ socket of this client ═▶ target
///            ◀═                  ◀═ link ◀═                       ◀═
///
/// Each client that is heard of gets links and a socket of its own, so the target can tell clients apart. Of more
/// clients than are served at once the one that has been quiet for longest goes; what was under way for it stays there.
///
/// Thread: one at a time.
public final class UDPProxy {
  /// What the links of one client have done.
  public struct ClientCounters: Sendable {
    /// Where the client is.
    public let client: SocketAddress
    /// To the target.
    public let toTarget: ProxyDirection
    /// Back to the client.
    public let toClient: ProxyDirection
  }

  /// What the links of the clients that have gone have done.
  public struct FreedCounters: Hashable, Sendable {
    /// How many have gone.
    public internal(set) var clients = 0
    /// To the target, all of them together.
    public internal(set) var toTarget = ProxyDirection()
    /// Back to them.
    public internal(set) var toClient = ProxyDirection()
  }

  /// How many clients are served at once, unless told otherwise.
  public static let usualClientLimit = 256
  /// How long a wait lasts at most, so that whoever drives can look around.
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
  /// Datagrams that came to a client's socket from elsewhere than the target, and were dropped. A host's other
  /// addresses and ports are no elsewhere.
  public private(set) var strayCount = 0
  /// Datagrams whose sender could not be served, because the system gave no socket for it.
  public private(set) var unservedCount = 0
  /// What has become of the datagrams of clients that have gone.
  public private(set) var freed = FreedCounters()

  /// - Parameters:
  ///   - listening: where clients send to; port 0 lets the system choose.
  ///   - target: where their datagrams go.
  ///   - isOneWay: whether what comes back passes unharmed.
  ///   - clientLimit: how many clients are served at once; so a flood of addresses costs little. Traps below 1.
  /// - Throws: `NetworkError` where the address cannot be listened on, or datagrams would be passed on to the proxy
  ///   itself.
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

  /// Where clients send to.
  public var listeningAddress: SocketAddress { listener.localAddress }

  /// What has become of the datagrams, by client in the order in which they came.
  ///
  /// Those that have gone are not among them.
  public var counters: [ClientCounters] { clients.map(\.counters) }

  /// Waits for datagrams or for one to come due, at most 0.1 s, and passes on what there is.
  public func step() {
    let deadline = clients.flatMap { [$0.toTarget.nextDeadlineNanoseconds, $0.toClient.nextDeadlineNanoseconds] }
      .compactMap { $0 }.min()
    let limit = deadline.map { min(Self.longestWait, $0 - clock.nowNanoseconds) } ?? Self.longestWait
    UDPSocket.wait(for: [listener] + clients.map(\.socket), atMostNanoseconds: limit)
    takeIn()
    giveOut()
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
            strayCount += 1
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

  /// The client there; a new one takes the place of the one that has been quiet for longest. Returns: nil where the
  /// system gives no socket for it.
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

  /// Whether what comes to the one address and is sent to the other comes again.
  private static func isLoop(_ listening: SocketAddress, _ target: SocketAddress) -> Bool {
    let (listening, target) = (listening.unmapped, target.unmapped)
    guard listening.port == target.port, listening.port != 0 else { return false }
    if listening.hasSameHost(as: target) { return true }
    // Who listens at IPv6's address for all hears IPv4 as well.
    guard listening.isAny || target.isAny, listening.isIPv6 || !target.isIPv6 else { return false }
    let other = listening.isAny ? target : listening
    // Only an address of this machine can be bound to.
    return (try? UDPSocket(at: other.withPort(0))) != nil
  }
}
