public import AudioGraph
public import NetworkIO

/// Stands between programs and a server and treats their datagrams as a bad network would, both ways.
///
///     client ═▶ listening socket ═▶ link ═▶ socket of this client ═▶ target
///            ◀═                  ◀═ link ◀═                       ◀═
///
/// Each client that is heard of gets links and a socket of its own, so the target can tell clients apart.
///
/// Thread: one at a time.
public final class UDPProxy {
  /// What the links of one client have done.
  public struct ClientCounters: Sendable {
    /// Where the client is.
    public let client: SocketAddress
    /// To the target.
    public let toTarget: LinkCounters
    /// Back to the client.
    public let toClient: LinkCounters
  }

  private final class Client {
    let address: SocketAddress
    let socket: UDPSocket
    var toTarget: ImpairedLink<[UInt8]>
    var toClient: ImpairedLink<[UInt8]>
    var answers: AnswerFilter

    init(_ address: SocketAddress, index: UInt32, proxy: UDPProxy) throws {
      self.address = address
      socket = try UDPSocket(at: proxy.anyAddress)
      answers = AnswerFilter(target: proxy.target)
      toTarget = ImpairedLink(
        proxy.conditions, seed: proxy.seed, link: LinkIdentity(sender: index, receiver: 0))
      toClient = ImpairedLink(
        proxy.isOneWay ? .perfect : proxy.conditions, seed: proxy.seed, link: LinkIdentity(sender: 0, receiver: index))
    }
  }

  /// More clients than anybody impairs; what else arrives is dropped, so that a flood of addresses costs nothing.
  private static let maximumClientCount = 256
  /// How long a wait lasts at most, so that whoever drives can look around.
  private static let longestWait = 100_000_000
  private static let longestBurst = 1_000

  private let conditions: NetworkConditions
  private let seed: UInt64
  private let isOneWay: Bool
  private let listener: UDPSocket
  private let target: SocketAddress
  private let anyAddress: SocketAddress
  private let clock: any EngineClock
  private var clients: [Client] = []
  /// Datagrams that came to a client's socket from elsewhere than the target, and were dropped. A host's other addresses and
  /// ports are no elsewhere.
  public private(set) var strayCount = 0
  private var byAddress: [SocketAddress: Client] = [:]

  /// - Parameters:
  ///   - listening: where clients send to; port 0 lets the system choose.
  ///   - target: where their datagrams go.
  ///   - isOneWay: whether what comes back passes unharmed.
  /// - Throws: `NetworkError` where the address cannot be listened on.
  public init(
    listening: SocketAddress, target: SocketAddress, conditions: NetworkConditions, seed: UInt64,
    isOneWay: Bool = false, clock: any EngineClock = SystemClock()
  ) throws(NetworkError) {
    self.conditions = conditions
    self.seed = seed
    self.isOneWay = isOneWay
    self.target = target
    self.clock = clock
    anyAddress = try SocketAddress(target.description.hasPrefix("[") ? "[::]:0" : ":0")
    listener = try UDPSocket(at: listening)
  }

  /// Where clients send to.
  public var listeningAddress: SocketAddress { listener.localAddress }

  /// What has become of the datagrams, by client in the order in which they came.
  public var counters: [ClientCounters] {
    clients.map {
      ClientCounters(client: $0.address, toTarget: $0.toTarget.counters, toClient: $0.toClient.counters)
    }
  }

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
    // Bounded, so that a flood does not keep the caller here.
    for _ in 0..<Self.longestBurst {
      let came: Void? = listener.receive { bytes, address in
        client(at: address)?.toTarget.send(Array(bytes), nowNanoseconds: clock.nowNanoseconds)
      }
      if came == nil { break }
    }
    for client in clients {
      for _ in 0..<Self.longestBurst {
        let came: Void? = client.socket.receive { bytes, address in
          guard client.answers.accepts(address) else {
            strayCount += 1
            return
          }
          client.toClient.send(Array(bytes), nowNanoseconds: clock.nowNanoseconds)
        }
        if came == nil { break }
      }
    }
  }

  private func giveOut() {
    let now = clock.nowNanoseconds
    for client in clients {
      while let delivery = client.toTarget.receive(nowNanoseconds: now) {
        delivery.datagram.withUnsafeBytes { _ = client.socket.send($0, to: target) }
      }
      while let delivery = client.toClient.receive(nowNanoseconds: now) {
        delivery.datagram.withUnsafeBytes { _ = listener.send($0, to: client.address) }
      }
    }
  }

  private func client(at address: SocketAddress) -> Client? {
    if let client = byAddress[address] { return client }
    guard clients.count < Self.maximumClientCount,
      let client = try? Client(address, index: UInt32(clients.count + 1), proxy: self)
    else { return nil }
    clients.append(client)
    byAddress[address] = client
    return client
  }
}
