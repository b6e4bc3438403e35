import NetworkIO
import Platform
import Signalling

/// The channels of an engine and their sessions, and the thread that serves them.
///
/// Thread: any; calls are serialized. The thread waits for datagrams without the lock.
final class ChannelLoop: Sendable {
  fileprivate struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): sessions are used by one thread at a time, behind the lock.
    var sessions: [(key: SessionKey, session: ActiveSession)] = []
    var channels: [Int: ActiveChannel] = [:]
    var nextNumber = 1
    var thread: BackgroundThread?
    var isStopped = false
  }

  private let state = Guarded(State())
  private let bell = WakeDescriptor()
  let clock: any EngineClock
  private let isStepped: Bool

  /// Preloads of an engine; a further one ends the oldest.
  private static let preloadCount = 20

  /// Longest wait for news, in nanoseconds. Closed WebSockets with messages under way end without a sign.
  private static let longestWait = 100_000_000

  /// - Parameter isStepped: Whether the caller serves the sessions with `pump` in place of a thread.
  init(clock: any EngineClock, isStepped: Bool) {
    self.clock = clock
    self.isStepped = isStepped
  }

  deinit { stop() }

  /// Adds a channel to a session of its user, which begins with the first channel. So does the thread. A user that is
  /// in the channel already gets another session.
  ///
  /// - Returns: Number of the channel.
  func add(
    _ name: ChannelName, _ key: SessionKey, makeSession: () -> ActiveSession,
    makeChannel: (ActiveSession) throws(ChannelError) -> ActiveChannel
  ) throws(ChannelError) -> Int {
    try withSession(key, { !$0.serves(name) }, makeSession) { state, session throws(ChannelError) in
      let channel = try makeChannel(session)
      session.add(channel)
      defer { state.nextNumber += 1 }
      state.channels[state.nextNumber] = channel
      return state.nextNumber
    }
  }

  /// Adds a preload to the session of its user. A former one of the channel and user ends, and so does the oldest of
  /// too many.
  func addPreload(
    _ key: SessionKey, makeSession: () -> ActiveSession,
    make: (ActiveSession, _ number: Int) throws(ChannelError) -> ActivePreload
  ) throws(ChannelError) {
    try withSession(key, { _ in true }, makeSession) { state, session throws(ChannelError) in
      let now = clock.nowNanoseconds
      let new = try make(session, state.nextNumber)
      state.nextNumber += 1
      session.add(new)
      // Before the others end, so that the session stays open.
      new.preload.start(nowNanoseconds: now)
      session.flush(now)
      let others = state.preloads.filter { $0 !== new }
      let replaced = others.filter { $0.preload.channel == new.preload.channel && $0.preload.user == new.preload.user }
      let kept = others.filter { other in !replaced.contains { $0 === other } }
      state.end(replaced + kept.dropLast(Self.preloadCount - 1), now)
    }
  }

  /// Uses all preloads, the oldest first.
  func usePreloads(_ body: (ChannelPreload, _ nowNanoseconds: Int) -> Void) throws(ChannelError) {
    let isStopped = state.withLock { state in
      for preload in state.preloads { body(preload.preload, clock.nowNanoseconds) }
      for (_, session) in state.sessions { session.flush(clock.nowNanoseconds) }
      return state.isStopped
    }
    wake()
    if isStopped { throw .destroyed }
  }

  /// Uses the session of a user, which begins here if there is none, then sends its messages.
  func useSession<Value>(
    _ key: SessionKey, makeSession: () -> ActiveSession, _ body: (ActiveSession, _ nowNanoseconds: Int) -> Value
  ) throws(ChannelError) -> Value {
    try withSession(key, { _ in true }, makeSession) { _, session throws(ChannelError) in
      let now = clock.nowNanoseconds
      let value = body(session, now)
      session.flush(now)
      return value
    }
  }

  /// Passes the first session of a user that is suitable, or a new one, and starts the thread.
  private func withSession<Value>(
    _ key: SessionKey, _ isSuitable: (ActiveSession) -> Bool, _ makeSession: () -> ActiveSession,
    _ body: (inout State, ActiveSession) throws(ChannelError) -> Value
  ) throws(ChannelError) -> Value {
    let result = state.withLock { state -> Result<Value, ChannelError> in
      guard !state.isStopped else {
        return .failure(.destroyed)
      }
      do throws(ChannelError) {
        if state.thread == nil, !isStepped { state.thread = try startThread() }
        let known = state.sessions.first { $0.key == key && isSuitable($0.session) }?.session
        let session = known ?? makeSession()
        let value = try body(&state, session)
        if known == nil { state.sessions.append((key, session)) }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    wake()
    return try result.get()
  }

  /// Uses a channel, then sends its messages; nil if the channel is over.
  func use<Value>(_ number: Int, _ body: (ActiveChannel, _ nowNanoseconds: Int) -> Value) -> Value? {
    state.withLock { state in
      guard let channel = state.channels[number] else { return nil }
      let now = clock.nowNanoseconds
      let value = body(channel, now)
      channel.session.flush(now)
      wake()
      return value
    }
  }

  /// Ends a channel at once.
  func remove(_ number: Int) {
    let ended = state.withLock { state in
      state.remove(clock.nowNanoseconds) { $0 == number || $1.isOver }
      return state.takeEndedSessions()
    }
    ended.stop()
  }

  /// Uid of an account by its open session; nil without one.
  func accountUID(_ key: SessionKey) -> UInt32? {
    state.withLock { state in
      state.sessions.first { $0.key == key && $0.session.session.isOpen }?.session.session.accountUID
    }
  }

  /// Whether the engine has ended.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Ends all channels and the thread.
  func stop() {
    let thread = state.withLock { state in
      state.isStopped = true
      defer { state.thread = nil }
      return state.thread
    }
    wake()
    if let thread, !thread.isCurrent { thread.join() }
    let ended = state.withLock { state in
      state.remove(clock.nowNanoseconds) { _, _ in true }
      state.end(state.preloads, clock.nowNanoseconds)
      defer { state.sessions = [] }
      return EndedSessions(sessions: state.sessions.map(\.session))
    }
    ended.stop()
  }

  /// Time of the next `pump` without news of the network; nil if none is needed.
  var nextDeadlineNanoseconds: Int? {
    state.withLock { $0.sessions.compactMap(\.session.session.nextDeadlineNanoseconds).min() }
  }

  /// Lets the thread look at once; a stepped loop has none.
  private func wake() { if !isStepped { bell.wake() } }

  private func startThread() throws(ChannelError) -> BackgroundThread {
    do throws(ThreadError) {
      return try BackgroundThread(named: "channels") { [weak self, bell] in
        while let wait = self?.pump() {
          UDPSocket.wait(
            for: wait.sockets, or: wait.descriptors + [bell.descriptor], atMostNanoseconds: wait.nanoseconds)
          bell.takeWakes()
        }
      }
    } catch {
      throw ChannelError(.notReady, "\(error)")
    }
  }

  /// News to wait for.
  struct Wait {
    var sockets: [UDPSocket] = []
    var descriptors: [Int32] = []
    /// Time until the next work without news.
    var nanoseconds = ChannelLoop.longestWait
  }

  /// Serves every session once.
  ///
  /// - Returns: News to wait for; nil after the end.
  @discardableResult
  func pump() -> Wait? {
    let (wait, ended) = state.withLock { state -> (Wait?, EndedSessions) in
      guard !state.isStopped else { return (nil, EndedSessions()) }
      for (_, session) in state.sessions { session.pump(clock.nowNanoseconds) }
      state.remove(clock.nowNanoseconds) { $1.isOver }
      let ended = state.takeEndedSessions()
      // Nobody waits for news of a stepped loop.
      return (isStepped ? Wait() : state.wait(nowNanoseconds: clock.nowNanoseconds), ended)
    }
    ended.stop()
    return wait
  }

  /// Sessions that nobody else knows any more.
  fileprivate struct EndedSessions: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the thread that took them out is the only one to use them.
    var sessions: [ActiveSession] = []

    /// Waits for their threads: call it without the lock.
    func stop() { for session in sessions { session.network.stop() } }
  }
}

extension ChannelLoop.State {
  /// News for which the thread waits.
  fileprivate func wait(nowNanoseconds now: Int) -> ChannelLoop.Wait {
    var wait = ChannelLoop.Wait()
    for (_, session) in sessions {
      wait.descriptors += session.network.descriptors
      wait.sockets += session.sockets
      wait.nanoseconds = min(wait.nanoseconds, max(0, session.deadlineNanoseconds(now) - now))
    }
    return wait
  }

  /// Removes channels, and their sound.
  fileprivate mutating func remove(_ now: Int, where isRemoved: (Int, ActiveChannel) -> Bool) {
    for (number, channel) in channels where isRemoved(number, channel) {
      channel.endMedia()
      // Its session may live on.
      channel.membership.finishLeaving(nowNanoseconds: now)
      channel.session.remove(channel, now)
      channels[number] = nil
    }
  }

  /// Preloads, the oldest first.
  fileprivate var preloads: [ActivePreload] { sessions.flatMap(\.session.preloads).sorted { $0.number < $1.number } }

  /// Ends preloads, and notifies the relay.
  fileprivate func end(_ preloads: [ActivePreload], _ now: Int) {
    guard !preloads.isEmpty else { return }
    for preload in preloads { preload.preload.end(nowNanoseconds: now) }
    for (_, session) in sessions { session.flush(now) }
  }

  /// Takes the sessions out that have nothing left to do.
  fileprivate mutating func takeEndedSessions() -> ChannelLoop.EndedSessions {
    let ended = sessions.map(\.session).filter(\.isOver)
    sessions.removeAll { entry in ended.contains { $0 === entry.session } }
    return ChannelLoop.EndedSessions(sessions: ended)
  }
}
