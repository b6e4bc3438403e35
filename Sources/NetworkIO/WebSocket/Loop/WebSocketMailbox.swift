import CPlatform
import Glibc
import Platform

/// Bounded queues between the thread of a `WebSocketLoop` and all other threads.
///
/// Thread: any. Each call holds a lock for a few instructions.
final class WebSocketMailbox: Sendable {
  private struct Outlet {
    var queuedByteCount = 0
    var isEnding = false
  }

  private struct State {
    var commands: [WebSocketCommand] = []
    var events: WebSocketEventQueue
    var outlets: [ConnectionID: Outlet] = [:]
    var nextNumber: UInt64 = 1
    var counters = WebSocketCounters()
    var outcome: Result<Void, WebSocketError>?
    var isPaused = false
    var hasEnded = false
    /// Wakes the loop's thread; nil before its start and after its end.
    var wake: (@Sendable () -> Void)?
  }

  private let state: Guarded<State>
  private let limits: WebSocketLimits
  private let outcomeBell = Doorbell()
  /// Event descriptor, readable while events wait.
  let descriptor: Int32

  init(limits: WebSocketLimits, place: String) throws(WebSocketError) {
    self.limits = limits
    state = Guarded(State(events: WebSocketEventQueue(connectionByteCount: limits.connectionEventByteCount)))
    descriptor = cplatform_event_descriptor()
    guard descriptor >= 0 else { throw WebSocketError(.resources(String(cString: strerror(errno))), place) }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  // MARK: Other threads

  /// Takes the next event in the order of turns; nil without one.
  func takeEvent() -> WebSocketEvent? { state.withLock { take(from: &$0) } }

  /// Waits until an event is there, at most so long, and takes all events.
  func takeEvents(waitingAtMost nanoseconds: Int64) -> [WebSocketEvent] {
    if nanoseconds > 0, !state.withLock({ $0.hasEnded }) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      cplatform_poll(&entry, 1, Int(nanoseconds))
    }
    return state.withLock { state in
      var events: [WebSocketEvent] = []
      while let event = take(from: &state) { events.append(event) }
      if events.isEmpty { hush() }
      return events
    }
  }

  private func take(from state: inout State) -> WebSocketEvent? {
    guard let (event, resumed) = state.events.next() else { return nil }
    if state.events.isEmpty { hush() }
    if let resumed { Self.add(.resumeReading(resumed), to: &state) }
    if state.isPaused, state.events.byteCount <= limits.maximumEventByteCount / 2 {
      state.isPaused = false
      Self.add(.resume, to: &state)
    }
    return event
  }

  /// Queues a message.
  ///
  /// - Returns: false if the connection is closing or its queue is full; a full queue ends the connection.
  func send(_ message: [UInt8], to id: ConnectionID) -> Bool {
    guard message.count <= limits.maximumMessageByteCount else { return false }
    return state.withLock { state in
      guard let outlet = state.outlets[id], !outlet.isEnding else { return false }
      guard outlet.queuedByteCount + message.count <= limits.maximumQueuedByteCount else {
        state.outlets[id]?.isEnding = true
        state.counters.slowReaders += 1
        Self.add(.cut(id), to: &state)
        return false
      }
      state.outlets[id]?.queuedByteCount += message.count
      Self.add(.send(id, message), to: &state)
      return true
    }
  }

  /// Closes a connection behind its queued messages.
  func close(_ id: ConnectionID, code: UInt16, reason: String) {
    state.withLock { state in
      guard state.outlets[id]?.isEnding == false else { return }
      state.outlets[id]?.isEnding = true
      Self.add(.close(id, code, reason), to: &state)
    }
  }

  /// Bytes of messages that the network has not taken; 0 for a connection that has ended.
  func queuedByteCount(of id: ConnectionID) -> Int { state.withLock { $0.outlets[id]?.queuedByteCount ?? 0 } }

  func post(_ command: WebSocketCommand) { state.withLock { Self.add(command, to: &$0) } }

  /// Gives the number of a new connection, which can be sent to from now on.
  func makeConnection() -> ConnectionID {
    state.withLock { state in
      let id = ConnectionID(state.nextNumber)
      state.nextNumber += 1
      state.outlets[id] = Outlet()
      return id
    }
  }

  var counters: WebSocketCounters { state.withLock { $0.counters } }

  /// Waits for the outcome of a client's first connection.
  func waitForOutcome() -> Result<Void, WebSocketError> {
    while true {
      if let outcome = state.withLock({ $0.outcome }) { return outcome }
      outcomeBell.wait(atMostMilliseconds: 1_000)
    }
  }

  // MARK: The loop's thread

  /// Connects the mailbox with the loop's thread.
  func start(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Disconnects the mailbox from the loop's thread. Commands have no effect from now on.
  func end(place: String) {
    state.withLock { state in
      state.wake = nil
      state.hasEnded = true
      state.commands.removeAll()
      state.outlets.removeAll()
      if state.outcome == nil { state.outcome = .failure(WebSocketError(.stopped, place)) }
      signal()
    }
    outcomeBell.ring()
  }

  func takeCommands() -> [WebSocketCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// The reason to stop reading from a connection.
  enum Pause {
    /// All events are too many; `resume` ends it.
    case all
    /// The connection's own events are too many; `resumeReading` ends it.
    case own
  }

  /// Adds an event.
  ///
  /// - Returns: the reason to stop reading from its connection; nil without one.
  @discardableResult
  func post(_ event: WebSocketEvent) -> Pause? {
    var outcome: Result<Void, WebSocketError>?
    switch event {
    case .opened: outcome = .success(())
    case .failed(_, let error): outcome = .failure(error)
    case .message, .closed: break
    }
    let pause = state.withLock { state -> Pause? in
      if state.outcome == nil { state.outcome = outcome }
      switch event {
      case .closed(let id, _), .failed(let id, _): state.outlets[id] = nil
      case .opened, .message: break
      }
      if state.events.isEmpty { signal() }
      guard state.events.append(event) else { return .own }
      guard state.events.byteCount > limits.maximumEventByteCount else { return nil }
      state.isPaused = true
      return .all
    }
    if outcome != nil { outcomeBell.ring() }
    return pause
  }

  /// Whether more events wait than the limit allows; then the consumer's next call brings `resume`.
  func isFull() -> Bool {
    state.withLock { state in
      guard state.events.byteCount > limits.maximumEventByteCount else { return false }
      state.isPaused = true
      return true
    }
  }

  /// Lets `send` fail from now on.
  func endSending(to id: ConnectionID) { state.withLock { $0.outlets[id]?.isEnding = true } }

  /// Forgets a connection without an event, after a handshake that failed.
  func forget(_ id: ConnectionID) { state.withLock { $0.outlets[id] = nil } }

  /// Notes bytes that the network has taken.
  func noteSent(_ byteCount: Int, messages: Int, on id: ConnectionID) {
    state.withLock { state in
      state.outlets[id]?.queuedByteCount -= byteCount
      state.counters.sentMessages += messages
    }
  }

  func count(_ counter: any WritableKeyPath<WebSocketCounters, Int> & Sendable) {
    state.withLock { $0.counters[keyPath: counter] += 1 }
  }

  private static func add(_ command: WebSocketCommand, to state: inout State) {
    guard !state.hasEnded else { return }
    // The loop takes all commands at once: the first one wakes it.
    if state.commands.isEmpty { state.wake?() }
    state.commands.append(command)
  }

  /// Lets the descriptor be unreadable, for a queue without events.
  private func hush() {
    var number: UInt64 = 0
    _ = read(descriptor, &number, MemoryLayout<UInt64>.size)
  }

  private func signal() {
    var number: UInt64 = 1
    _ = write(descriptor, &number, MemoryLayout<UInt64>.size)
  }
}
