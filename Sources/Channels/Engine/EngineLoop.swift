import NetworkIO
import Platform
import Signalling

/// The sessions of an engine, and the thread that serves them.
///
/// Thread: any; calls are serialized. The thread waits for datagrams without the lock.
final class EngineLoop: Sendable {
  private struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): sessions are used by one thread at a time, behind the lock.
    var sessions: [Int: ChannelSession] = [:]
    var nextNumber = 1
    var thread: BackgroundThread?
    var isStopped = false
  }

  private let state = Guarded(State())
  private let bell = Doorbell()
  let clock: any EngineClock
  private let isStepped: Bool

  /// Longest wait for datagrams, in nanoseconds: packets of the pipeline are sent within it.
  private static let longestWait = 2_500_000

  /// - Parameter isStepped: Whether the caller serves the sessions with `pump` in place of a thread.
  init(clock: any EngineClock, isStepped: Bool) {
    self.clock = clock
    self.isStepped = isStepped
  }

  deinit { stop() }

  /// Adds a session, and starts the thread with the first one.
  ///
  /// - Returns: Number of the session.
  func add(_ make: (_ number: Int) throws(ChannelError) -> ChannelSession) throws(ChannelError) -> Int {
    let result = state.withLock { state -> Result<Int, ChannelError> in
      guard !state.isStopped else {
        return .failure(ChannelError(.notInitialised, "the engine was destroyed; make another"))
      }
      do throws(ChannelError) {
        if state.thread == nil, !isStepped { state.thread = try startThread() }
        let number = state.nextNumber
        state.sessions[number] = try make(number)
        state.nextNumber += 1
        return .success(number)
      } catch {
        return .failure(error)
      }
    }
    bell.ring()
    return try result.get()
  }

  /// Uses a session, then sends its messages; nil if the session is over.
  func use<Value>(_ number: Int, _ body: (ChannelSession, _ nowNanoseconds: Int) -> Value) -> Value? {
    state.withLock { state in
      guard let session = state.sessions[number] else { return nil }
      let now = clock.nowNanoseconds
      let value = body(session, now)
      session.flush(now)
      return value
    }
  }

  /// Ends a session at once.
  func remove(_ number: Int) {
    let ended = state.withLock { state in
      let session = state.sessions.removeValue(forKey: number)
      session?.endMedia()
      return EndedSessions(sessions: session.map { [$0] } ?? [])
    }
    ended.endNetworks()
  }

  /// Ends all sessions and the thread.
  func stop() {
    let thread = state.withLock { state in
      state.isStopped = true
      defer { state.thread = nil }
      return state.thread
    }
    bell.ring()
    if let thread, !thread.isCurrent { thread.join() }
    let ended = state.withLock { state in
      defer { state.sessions = [:] }
      for session in state.sessions.values { session.endMedia() }
      return EndedSessions(sessions: Array(state.sessions.values))
    }
    ended.endNetworks()
  }

  /// Time of the next `pump` without news of the network; nil if none is needed.
  var nextDeadlineNanoseconds: Int? {
    state.withLock { $0.sessions.values.compactMap(\.connection.nextDeadlineNanoseconds).min() }
  }

  private func startThread() throws(ChannelError) -> BackgroundThread {
    do throws(ThreadError) {
      return try BackgroundThread(named: "channels") { [weak self, bell] in
        while true {
          guard let sockets = self?.pump() else { return }
          if sockets.isEmpty {
            bell.wait(atMostMilliseconds: 100)
          } else {
            UDPSocket.wait(for: sockets, atMostNanoseconds: Self.longestWait)
          }
        }
      }
    } catch {
      throw ChannelError(.notReady, "\(error)")
    }
  }

  /// Serves every session once.
  ///
  /// - Returns: Sockets to wait for; nil after the end.
  @discardableResult
  func pump() -> [UDPSocket]? {
    let (sockets, ended) = state.withLock { state -> ([UDPSocket]?, EndedSessions) in
      guard !state.isStopped else { return (nil, EndedSessions()) }
      var (sockets, ended): ([UDPSocket], [ChannelSession]) = ([], [])
      for (number, session) in state.sessions.sorted(by: { $0.key < $1.key }) {
        session.pump(clock.nowNanoseconds)
        if session.isOver {
          session.endMedia()
          ended.append(session)
          state.sessions[number] = nil
        } else {
          sockets += session.network.sockets
        }
      }
      return (sockets, EndedSessions(sessions: ended))
    }
    ended.endNetworks()
    return sockets
  }

  /// Sessions that nobody else knows any more.
  private struct EndedSessions: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the thread that took them out is the only one to use them.
    var sessions: [ChannelSession] = []

    /// Waits for their threads, without the lock.
    func endNetworks() { for session in sessions { session.endNetwork() } }
  }
}
