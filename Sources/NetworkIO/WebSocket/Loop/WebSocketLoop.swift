import CWebSockets
import Glibc
import Platform

/// The thread that runs libwebsockets for one server or one client, and everything that touches its types.
///
///     other threads -- commands --> [ mailbox ] --> the loop's thread --> network
///     other threads <-- events ---- [ mailbox ] <-- the loop's thread <-- network
///
/// Thread: `init` and `stop` are for the owner, all other members for the loop's thread.
final class WebSocketLoop: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the state is touched by `init`, and then by the loop's thread only. `mailbox`,
  // `thread` and `purpose` are constants.

  /// Purpose of a loop.
  enum Purpose: Sendable {
    /// Without a path there is only HTTP.
    case server(
      path: String?, hasTLS: Bool, certificates: TLSFiles?, onRequest: @Sendable (String) -> HTTPAnswer?)
    case client(WebSocketURL, TLSVerification)
  }

  /// Handles of sockets that are not read.
  struct Pauses {
    /// Until the next tick or `resume`.
    var all: Set<OpaquePointer> = []
    /// Until the connection's own events are taken.
    var own: Set<OpaquePointer> = []
  }

  /// Longest time between `stop` and the end of the thread, for close frames.
  private static let stopNanoseconds: Int64 = 500_000_000

  /// Connections from which on the thread rests between two looks, in microseconds for each of them.
  private static let fewestToRest = 100
  private static let restOfSocket = 10
  private static let longestRest = 20_000

  let mailbox: WebSocketMailbox
  let purpose: Purpose
  private(set) var limits: WebSocketLimits
  /// Address or URL, for errors.
  let place: String
  let subprotocol: String
  let protocols: UnsafeMutablePointer<lws_protocols>
  let timer: UnsafeMutablePointer<cwebsockets_timer>
  /// One outgoing message behind the bytes that the library needs.
  let scratch: UnsafeMutableRawBufferPointer
  var context: OpaquePointer?
  var host: OpaquePointer?
  /// OpenSSL's context that holds a server's latest certificates and key.
  var identity: OpaquePointer?
  var connections: [OpaquePointer: WebSocketLoopConnection] = [:]
  var handles: [ConnectionID: WebSocketLoopConnection] = [:]
  /// Connection within its first call into the library, which has not given a handle yet.
  var connecting: WebSocketLoopConnection?
  /// Reason of the last certificate that was refused.
  var refusal: WebSocketError.Reason?
  var rates: AddressRates
  var pauses = Pauses()
  var nextSweep: Int64 = 0
  /// Time at which the thread ends at the latest, from `stop` on.
  var stopDeadline: Int64?
  private let thread = Guarded<BackgroundThread?>(nil)

  /// Creates the library's context; `start` runs it.
  ///
  /// - Parameter capacity: most descriptors of the loop; 0 for those of the process.
  init(
    _ purpose: Purpose, subprotocol: String, limits: WebSocketLimits, place: String, capacity: Int
  ) throws(WebSocketError) {
    self.purpose = purpose
    self.limits = limits
    self.place = place
    self.subprotocol = subprotocol
    mailbox = try WebSocketMailbox(limits: limits, place: place)
    rates = AddressRates(perSecond: limits.connectionsPerSecond, burst: limits.connectionBurst)
    timer = .allocate(capacity: 1)
    timer.initialize(to: cwebsockets_timer())
    scratch = .allocate(byteCount: Int(cwebsockets_prefix()) + limits.maximumMessageByteCount + 1, alignment: 16)
    // The list ends with an empty entry.
    protocols = .allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = UnsafePointer(strdup(subprotocol))
    protocols[0].callback = webSocketLoopCallback
    // The library reports the end of a protocol only for connections with data of their own.
    protocols[0].per_session_data_size = 8
    protocols[0].rx_buffer_size = 4_096
    let user = Unmanaged.passUnretained(self).toOpaque()
    timer.pointee.user = user
    context = Self.makeContext(capacity: capacity, user: user)
    guard context != nil else { throw WebSocketError(.resources("no context"), place) }
    let (isServer, hasTLS) = traits
    let seconds = UInt32(clamping: max(1, limits.handshakeNanoseconds / 1_000_000_000 + 1))
    host = cwebsockets_host(context, protocols, isServer ? 1 : 0, hasTLS ? 1 : 0, seconds)
    guard host != nil else {
      lws_context_destroy(context)
      context = nil
      throw WebSocketError(.resources("no host"), place)
    }
  }

  deinit {
    if let context { lws_context_destroy(context) }
    freeIdentity()
    free(UnsafeMutablePointer(mutating: protocols[0].name))
    protocols.deallocate()
    timer.deallocate()
    scratch.deallocate()
  }

  private var traits: (isServer: Bool, hasTLS: Bool) {
    switch purpose {
    case .server(_, let hasTLS, _, _): (true, hasTLS)
    case .client(let url, _): (false, url.hasTLS)
    }
  }

  /// Creates a context. The library changes the process's handling of SIGPIPE, and prints to stderr, without asking.
  private static func makeContext(capacity: Int, user: UnsafeMutableRawPointer) -> OpaquePointer? {
    isPrepared.withLock { isPrepared in
      var earlier = sigaction()
      sigaction(SIGPIPE, nil, &earlier)
      lws_set_log_level(0, nil)
      let context = cwebsockets_context(isPrepared ? 0 : 1, UInt32(clamping: capacity), user)
      sigaction(SIGPIPE, &earlier, nil)
      if context != nil { isPrepared = true }
      return context
    }
  }

  private static let isPrepared = Guarded(false)

  /// Starts the thread.
  func start() throws(WebSocketError) {
    // SAFETY: the mailbox calls this only until `end`, which comes before the context's end.
    nonisolated(unsafe) let context = context
    mailbox.start { lws_cancel_service(context) }
    do throws(ThreadError) {
      let started = try BackgroundThread(named: "websocket") { self.run() }
      thread.withLock { $0 = started }
    } catch {
      mailbox.end(place: place)
      throw WebSocketError(.resources(String(cString: strerror(error.number))), place)
    }
  }

  /// Ends the thread, which sends close frames first. On the loop's own thread it does not wait for the end.
  func stop() {
    mailbox.post(.stop)
    // The thread is joined outside the lock, which another caller of `stop` would wait for.
    let running = thread.withLock { thread -> BackgroundThread? in
      guard let running = thread, !running.isCurrent else { return nil }
      thread = nil
      return running
    }
    running?.join()
  }

  private func run() {
    // A write to a connection that the peer has closed is an error of that write.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    tick(at: now)
    execute()
    while lws_service(context, 0) >= 0 {
      if let stopDeadline, now >= stopDeadline || handles.isEmpty { break }
      rest()
    }
    mailbox.end(place: place)
    lws_sul_cancel(&timer.pointee.entry)
    lws_context_destroy(context)
    context = nil
    for connection in Array(handles.values) { end(connection) }
  }

  /// Lets events gather: the library looks at every socket for each event, which costs 0.3 µs a socket.
  private func rest() {
    guard connections.count >= Self.fewestToRest, stopDeadline == nil else { return }
    usleep(UInt32(min(Self.longestRest, connections.count * Self.restOfSocket)))
  }

  /// Nanoseconds of the monotonic clock.
  var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Executes the commands of other threads.
  func execute() {
    for command in mailbox.takeCommands() {
      switch command {
      case .connect(let id): connect(id)
      case .send(let id, let message):
        guard let connection = handles[id] else { continue }
        connection.outgoing.append(message)
        if connection.phase == .open { lws_callback_on_writable(connection.handle) }
      case .close(let id, let code, let reason):
        guard let connection = handles[id] else { continue }
        beginClose(connection, code: code, reason: reason)
      case .cut(let id):
        guard let connection = handles[id] else { continue }
        connection.ownCode = connection.ownCode ?? 1008
        cut(connection)
      case .resume: resume()
      case .resumeReading(let id): resumeReading(id)
      case .reload(let files): load(files)
      case .messageRate(let perSecond, let burst):
        limits.messagesPerSecond = perSecond
        limits.messageBurst = burst
        for connection in handles.values { connection.messageRate = RateLimit(perSecond: perSecond, burst: burst) }
      case .origins(let rule): limits.origins = rule
      case .stop: beginStop()
      }
    }
  }

  private func beginStop() {
    guard stopDeadline == nil else { return }
    stopDeadline = now + Self.stopNanoseconds
    for connection in Array(handles.values) {
      if connection.phase == .open {
        beginClose(connection, code: 1001, reason: "")
      } else {
        connection.failure = connection.failure ?? .stopped
        cut(connection)
      }
    }
    tick(at: now)
  }
}
