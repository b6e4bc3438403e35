public import NetworkIO
public import Platform

/// A relay with sockets: on each address, a WebSocket for signalling and, with the same port number, UDP for media.
///
///     clients ─▶ WebSocket ─▶ [ relay's thread: RelayCore ] ─▶ WebSocket
///                                       │ lock of a worker
///     clients ═▶ UDP ═══════▶ [ worker: Forwarder ] ════════▶ UDP
///
/// A single worker runs in the relay's thread. Of several, each has a thread and the UDP port behind that of the one
/// before.
///
/// ```swift
/// guard let id = AppID("demo") else { return }
/// let app = RelayApp(id: id, secret: nil, allowsAppIDOnly: true)
/// let configuration = RelayConfiguration(apps: [app], mediaAddresses: [])
/// let relay = try RelayServer(configuration, at: [SocketAddress("127.0.0.1:7000")])
/// try relay.start()
/// relay.drain()
/// relay.stop()
/// ```
/// Thread: any.
public final class RelayServer: Sendable {
  /// Most workers of a relay.
  public static let largestWorkerCount = 64

  /// Local addresses in the order of the given ones, with the ports that the system chose.
  public let localAddresses: [SocketAddress]
  /// Addresses that clients get for media.
  public var mediaAddresses: [SocketAddress] { offered.withLock { $0 } }
  private let offered: Guarded<[SocketAddress]>
  private let state: Guarded<State>
  private let bell: Guarded<RelayRequests>
  private let limits: WebSocketLimits

  private struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the loop is used by one thread, which `start` makes, and behind that thread's end.
    let loop: RelayLoop
    var thread: BackgroundThread?
    /// Threads of the workers; empty if the relay's thread runs the only one.
    var workers: [BackgroundThread] = []
    var isFinished = false
  }

  /// Opens the sockets.
  ///
  /// - Parameters:
  ///   - configuration: settings; without media addresses, those of the machine at each given address.
  ///   - addresses: local addresses; with port 0 the system chooses a port that TCP and UDP have free.
  ///   - tls: certificate and key of the WebSocket; nil for plain TCP.
  ///   - limits: limits of the WebSocket; its rate of messages is raised above the relay's limit of requests.
  ///   - logsUsers: whether `takeUserLog` has lines.
  /// - Throws: `WebSocketError` and `NetworkError` for addresses and files that cannot be used.
  public init(
    _ configuration: RelayConfiguration, at addresses: [SocketAddress], tls: TLSFiles? = nil,
    limits: WebSocketLimits = WebSocketLimits(), logsUsers: Bool = false
  ) throws {
    precondition(
      (1...Self.largestWorkerCount).contains(configuration.workerCount),
      "a relay has 1 to \(Self.largestWorkerCount) workers")
    var requests = RelayRequests()
    requests.userLog.isOn = logsUsers
    let bell = Guarded(requests)
    self.bell = bell
    self.limits = limits
    let sockets = try RelaySockets(
      at: addresses, workerCount: configuration.workerCount, tls: tls, limits: limits.allowing(configuration)
    ) { path in
      path == "/healthz" ? Self.health(isDraining: bell.withLock { $0.wantsDrain }) : nil
    }
    localAddresses = sockets.localAddresses
    var configuration = configuration
    if configuration.mediaAddresses.isEmpty {
      configuration.mediaAddresses = localAddresses.flatMap { address in
        guard address.isAny else { return [address] }
        return LocalAddresses.offered(isIPv6: address.isIPv6).map { $0.withPort(address.port) }
      }
    }
    offered = Guarded(configuration.mediaAddresses)
    state = Guarded(State(loop: RelayLoop(configuration, sockets, logsUsers: logsUsers)))
  }

  deinit { stop() }

  /// Starts the thread.
  ///
  /// - Throws: `.wrongState` if the relay runs or has stopped; `.refused` if the system does not provide a thread.
  public func start() throws(EngineError) {
    let failure = state.withLock { state -> EngineError? in
      guard state.thread == nil, !state.isFinished else {
        return EngineError(.wrongState, "the relay runs already, or has stopped; make another")
      }
      do {
        let loop = LoopReference(loop: state.loop)
        if state.loop.workers.count > 1 {
          for worker in state.loop.workers {
            state.workers.append(
              try BackgroundThread(named: "relay-\(worker.forwarder.index)") {
                worker.run { loop.loop.wake() }
              })
          }
        }
        state.thread = try BackgroundThread(named: "relay") { [bell] in loop.loop.run(bell) }
        return nil
      } catch {
        Self.end(&state)
        return EngineError(.refused, "\(error)", cause: error)
      }
    }
    if let failure { throw failure }
  }

  /// Names the alternative relays to all clients, and refuses new ones; sessions end after the time of a drain.
  public func drain() { bell.withLock { $0.wantsDrain = true } }

  /// Whether a drain has begun.
  public var isDraining: Bool { bell.withLock { $0.wantsDrain } }

  /// Answer to `GET /healthz`: 200 while the relay takes sessions, 503 while it drains.
  package var health: HTTPAnswer { Self.health(isDraining: isDraining) }

  private static func health(isDraining: Bool) -> HTTPAnswer {
    isDraining ? HTTPAnswer(status: 503, text: "draining\n") : HTTPAnswer(text: "ok\n")
  }

  /// Uses other settings within 100 ms, without a break for the users that may stay; `RelayCore.reconfigure` lists the
  /// sessions that end. Media addresses and the secret of resume tokens stay.
  public func reconfigure(_ configuration: RelayConfiguration) {
    let raised = limits.allowing(configuration)
    let server = state.withLock { $0.loop.sockets }.server
    server.setMessageRate(perSecond: raised.messagesPerSecond, burst: raised.messageBurst)
    server.setOrigins(raised.origins)
    bell.withLock { $0.configuration = configuration }
  }

  /// Offers other addresses for media, within 100 ms, to later joins.
  public func offer(_ mediaAddresses: [SocketAddress]) {
    offered.withLock { $0 = mediaAddresses }
    bell.withLock { $0.mediaAddresses = mediaAddresses }
  }

  /// Uses other certificates for later connections.
  ///
  /// - Throws: `WebSocketError` if the files cannot be used; the present ones then stay.
  public func reloadCertificates(_ files: TLSFiles) throws(WebSocketError) {
    try state.withLock { $0.loop.sockets }.server.reloadCertificates(files)
  }

  /// Sizes and counts of the last 200 ms; behind `stop`, the last ones.
  public var statistics: RelayStatistics { bell.withLock { $0.statistics } }

  /// Takes the lines about users that have joined or left, or were refused: at most 1000, and one with the count of the
  /// others. Clients' texts in them are escaped.
  public func takeUserLog() -> [String] { bell.withLock { $0.userLog.takeLines() } }

  /// Receive buffer of the UDP sockets, in bytes: as given by the system, and as asked for.
  package var receiveBuffer: (givenByteCount: Int, wantedByteCount: Int) {
    (state.withLock { $0.loop.sockets.receiveByteCount }, RelaySockets.wantedReceiveByteCount)
  }

  /// Counts of the WebSocket.
  public var webSocketCounters: WebSocketCounters { state.withLock { $0.loop.sockets }.server.counters }

  /// Ends the thread and all connections.
  public func stop() {
    bell.withLock { $0.wantsStop = true }
    let thread = state.withLock { state in
      defer {
        state.thread = nil
        state.isFinished = true
      }
      return state.thread
    }
    thread?.join()
    let statistics = state.withLock { state in
      Self.end(&state)
      return state.loop.statistics
    }
    if thread != nil { bell.withLock { $0.statistics = statistics } }
    state.withLock { $0.loop.sockets }.server.stop()
  }

  /// Ends the threads of the workers.
  private static func end(_ state: inout State) {
    for worker in state.loop.workers { worker.stop() }
    for thread in state.workers { thread.join() }
    state.workers = []
  }
}

/// The loop on its way to its thread.
private struct LoopReference: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the thread that gets it is the only one to use it.
  let loop: RelayLoop
}
