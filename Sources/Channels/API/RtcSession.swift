import Platform
import Signalling

/// A user's session at the relay without a channel: the user is online, and sends and gets messages.
///
/// The session is that of the user's channels, if there are any. A message is sent at most once, and messages from one
/// user to another come in their order.
///
/// ```swift
/// let engine = try RtcEngine(appID: "demo", relay: "wss://relay.example:4000")
/// let session = try await engine.openSession(token: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", user: .uid(7))
/// let outcome = try await session.send("are you there?", to: .uid(8))
/// for await case .message(let from, let body) in session.events { print(from, body) }
/// ```
/// Thread: any.
public final class RtcSession: Sendable {
  /// The local user.
  public let user: RtcUser
  /// Longest message, in bytes of UTF-8.
  public static let largestMessageByteCount = MessageLimits.bodyByteCount
  let key: SessionKey
  private let state: Guarded<State>
  private let delivery: EventDelivery

  struct State {
    var isOpen = false
    var isClosed = false
    var uid: UInt32?
    var onOpen: (@Sendable (Result<Void, ChannelError>) -> Void)?
    /// Calls that wait for the relay's answer, by the ids of their requests.
    var calls: [UInt32: Answer] = [:]
    var streams: [AsyncStream<SessionEvent>.Continuation] = []
    var observers: [@Sendable (SessionEvent) -> Void] = []
    /// Stream since the beginning, for the first reader.
    var firstStream: AsyncStream<SessionEvent>?
    weak var engine: RtcEngine?
  }

  /// Takes the event that answers a call.
  typealias Answer = @Sendable (Result<SessionEvent, ChannelError>) -> Void

  init(_ user: RtcUser, _ key: SessionKey, _ engine: RtcEngine) {
    self.user = user
    self.key = key
    delivery = engine.delivery
    state = Guarded(State(engine: engine))
    let stream = makeStream()
    state.withLock { $0.firstStream = stream }
  }

  /// Whether the session is connected: messages can be sent, and come.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Uid of the local user in every channel: for an account, the one that the relay derives from it; nil before.
  public var uid: UInt32? { state.withLock { $0.uid } }

  /// Events: the first stream begins with the session, later ones when they are read. The newest 1024 wait for a slow
  /// reader.
  public var events: AsyncStream<SessionEvent> { state.withLock { $0.firstStream.take() } ?? makeStream() }

  // MARK: Calls

  /// Sends a message to every connected session of a user of the app.
  ///
  /// - Parameters:
  ///   - message: Text of 1 byte to 16 KiB of UTF-8.
  ///   - receiver: User, by uid from 1 or account.
  /// - Returns: Whether the user has the message. `unknown`: the connection was lost before the relay's answer,
  ///   or there was none within 10 s.
  /// - Throws: `.invalidArgument` for a message or a user that cannot be, `.notReady` without a connection, or the
  ///   relay's refusal: then nobody has the message.
  @discardableResult
  public func send(_ message: String, to receiver: RtcUser) async throws(ChannelError) -> MessageOutcome {
    try await waitForResult { done throws(ChannelError) in try send(message, to: receiver, completion: done) }
  }

  /// Sends a message to every connected session of a user, and calls a closure with its outcome.
  ///
  /// - Throws: `.invalidArgument`, `.notReady`, as the form that waits.
  public func send(
    _ message: String, to receiver: RtcUser,
    completion: @escaping @Sendable (Result<MessageOutcome, ChannelError>) -> Void
  ) throws(ChannelError) {
    guard (1...Self.largestMessageByteCount).contains(message.utf8.count) else {
      throw ChannelError(
        .invalidArgument,
        "a message has 1 to \(Self.largestMessageByteCount) bytes of UTF-8, not \(message.utf8.count); split it")
    }
    let identity = try receiver.receiver()
    try request { session, now in
      session.send(message, to: identity, nowNanoseconds: now)
    } answer: { result in
      completion(result.map { if case .messageAnswered(_, let outcome) = $0 { outcome } else { .unknown } })
    }
  }

  /// Returns whether a user of the app has a connected session at the relay.
  ///
  /// - Throws: `.invalidArgument` for a user that cannot be, `.notReady` without a connection, or the relay's refusal.
  public func isOnline(_ user: RtcUser) async throws(ChannelError) -> Bool {
    let identity = try user.receiver()
    return try await waitForResult { done throws(ChannelError) in
      try request { session, now in
        session.requestPresence(of: identity, nowNanoseconds: now)
      } answer: { result in
        done(result.map { if case .presenceAnswered(_, let isOnline) = $0 { isOnline } else { false } })
      }
    }
  }

  /// Replaces the token, and waits for the relay's answer. After its expiry the session opens again.
  ///
  /// - Throws: `.invalidArgument` for an empty token, or the relay's refusal.
  public func renewToken(_ token: String) async throws(ChannelError) {
    try RtcConnection.check(token: token)
    try await waitForResult { (done: @escaping @Sendable (Result<Void, ChannelError>) -> Void) throws(ChannelError) in
      try use { session, now in
        if let id = session.renew(SecretText(token), nowNanoseconds: now) {
          state.withLock { $0.calls[id] = { result in done(result.map { _ in () }) } }
        } else {
          delivery.post { done(.success(())) }
        }
      }
    }
  }

  /// Closes the session. The user's channels stay.
  public func close() {
    try? use { session, now in session.release(nowNanoseconds: now) }
  }

  // MARK: Internal

  /// Calls a closure with each later event, on the thread of the delegates.
  package func observe(_ body: @escaping @Sendable (SessionEvent) -> Void) {
    state.withLock { $0.observers.append(body) }
  }

  /// Runs work on the thread of the delegates.
  package func post(_ work: @escaping @Sendable () -> Void) { delivery.post(work) }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Opens the session, and calls a closure once it is open, or has failed.
  func open(
    _ credential: SessionCredential, limitNanoseconds: Int?,
    completion: @escaping @Sendable (Result<Void, ChannelError>) -> Void
  ) throws(ChannelError) {
    state.withLock { $0.onOpen = completion }
    do throws(ChannelError) {
      try useActive { active, now in
        // A registration that is under way holds the session no longer than its own time.
        let isRegistering = active.releasesWhenOpen
        active.releasesWhenOpen = false
        active.session.hold(
          credential, limitNanoseconds: limitNanoseconds, replaces: isRegistering, nowNanoseconds: now)
      }
    } catch {
      // The engine's end may have answered.
      guard state.withLock({ $0.onOpen.take() }) != nil else { return }
      throw error
    }
  }

  /// Notes an event, and completes the calls that wait for it. Thread: under the lock of the loop.
  func report(_ event: SessionEvent) {
    let ended = state.withLock { state -> Ended? in
      state.note(event)
      finish(event, &state)
      for stream in state.streams { stream.yield(event) }
      for observer in state.observers { delivery.post { observer(event) } }
      guard case .closed = event else { return nil }
      return state.end()
    }
    if let ended { delivery.post { [closed] in ended.finish(closed) } }
  }

  /// Ends the calls that wait, since nothing follows.
  func end(_ error: ChannelError) { state.withLock { $0.end() }?.finish(error) }

  // MARK: Private

  private func makeStream() -> AsyncStream<SessionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SessionEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    state.withLock { state in
      if state.isClosed { continuation.finish() } else { state.streams.append(continuation) }
    }
    return stream
  }

  private func use<Value>(_ body: (RelaySession, _ nowNanoseconds: Int) -> Value) throws(ChannelError) -> Value {
    try useActive { active, now in body(active.session, now) }
  }

  private func useActive<Value>(
    _ body: (ActiveSession, _ nowNanoseconds: Int) -> Value
  ) throws(ChannelError) -> Value {
    guard let engine = state.withLock({ $0.isClosed ? nil : $0.engine }) else { throw closed }
    return try engine.useSession(key, body)
  }

  private var closed: ChannelError { ChannelError(.wrongState, "the session was closed; open another") }

  private func request(
    _ send: (RelaySession, _ nowNanoseconds: Int) -> UInt32?, answer: @escaping Answer
  ) throws(ChannelError) {
    let id = try use { session, now -> UInt32? in
      // The session may have been closed since.
      guard !isClosed, let id = send(session, now) else { return nil }
      let isKept = state.withLock { state in
        if !state.isClosed { state.calls[id] = answer }
        return !state.isClosed
      }
      if !isKept { delivery.post { [closed] in answer(.failure(closed)) } }
      return id
    }
    guard id == nil else { return }
    guard !isClosed else { throw closed }
    throw ChannelError(.notReady, "the session has no connection; send it again once the session is open")
  }

  private func finish(_ event: SessionEvent, _ state: inout State) {
    switch event {
    case .opened: finishOpening(.success(()), &state)
    case .closed(let error?): finishOpening(.failure(error), &state)
    case .tokenRequested:
      finishOpening(
        .failure(ChannelError(.tokenExpired, "the token has expired; open the session with another")), &state)
    case .messageAnswered(let id, _), .presenceAnswered(let id, _), .granted(let id):
      finish(id, .success(event), &state)
    case .refused(let id, let error): finish(id, .failure(error), &state)
    default: break
    }
  }

  private func finishOpening(_ result: Result<Void, ChannelError>, _ state: inout State) {
    guard let handler = state.onOpen else { return }
    state.onOpen = nil
    delivery.post { handler(result) }
  }

  private func finish(_ id: UInt32, _ result: Result<SessionEvent, ChannelError>, _ state: inout State) {
    guard let answer = state.calls.removeValue(forKey: id) else { return }
    delivery.post { answer(result) }
  }
}

extension RtcSession {
  /// Calls and streams of a session that has ended.
  fileprivate struct Ended: Sendable {
    let onOpen: (@Sendable (Result<Void, ChannelError>) -> Void)?
    let calls: [Answer]
    let streams: [AsyncStream<SessionEvent>.Continuation]

    /// Call it without a lock: the closures are the program's.
    func finish(_ error: ChannelError) {
      onOpen?(.failure(error))
      for answer in calls { answer(.failure(error)) }
      for stream in streams { stream.finish() }
    }
  }
}

extension RtcSession.State {
  /// Ends the session, and returns the calls that wait; nil if it has ended before.
  fileprivate mutating func end() -> RtcSession.Ended? {
    guard !isClosed else { return nil }
    (isClosed, isOpen) = (true, false)
    defer { (onOpen, calls, streams) = (nil, [:], []) }
    return RtcSession.Ended(onOpen: onOpen, calls: Array(calls.values), streams: streams)
  }

  fileprivate mutating func note(_ event: SessionEvent) {
    switch event {
    case .opened(_, let uid):
      isOpen = true
      self.uid = uid ?? self.uid
    case .interrupted, .tokenRequested, .closed: isOpen = false
    default: break
    }
  }
}
