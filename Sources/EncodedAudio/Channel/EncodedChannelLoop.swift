import NetworkIO
import Platform

/// Thread that serves encoded channels: their packets, requests, reports and files.
///
/// One thread serves many channels. It ends with the loop, which its channels keep.
///
/// Thread: any.
public final class EncodedChannelLoop: Sendable {
  struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): memberships are used by one thread at a time, behind the lock.
    var channels: [Int: (membership: EncodedMembership, calls: Calls)] = [:]
    var nextNumber = 1
    var isStopped = false
  }

  /// Calls of a channel's closures that are due, in order. They are made without the lock, so that a closure may call
  /// the channel.
  final class Calls {
    private var waiting: [() -> Void] = []

    func append(_ call: @escaping () -> Void) { waiting.append(call) }

    func take() -> [() -> Void] {
      defer { waiting = [] }
      return waiting
    }
  }

  private let state: Guarded<State>
  private let bell: WakeDescriptor
  private let thread: BackgroundThread
  let clock = SystemClock()

  /// Longest wait for news, in nanoseconds. Closed WebSockets with messages under way end without a sign.
  private static let longestWait = 100_000_000

  /// Starts the thread.
  ///
  /// - Throws: `ChannelError` with code `.notReady` if the system gives no thread.
  public init() throws(ChannelError) {
    let (state, bell, clock) = (Guarded(State()), WakeDescriptor(), self.clock)
    (self.state, self.bell) = (state, bell)
    do throws(ThreadError) {
      thread = try BackgroundThread(named: "encoded") { while Self.turn(state, bell, clock) {} }
    } catch {
      throw ChannelError(.notReady, "\(error)")
    }
  }

  deinit {
    let ended = state.withLock { state in
      state.isStopped = true
      return EndedChannels(state.channels.values.map(\.membership))
    }
    bell.wake()
    if thread.isCurrent { thread.detach() } else { thread.join() }
    ended.stop()
  }

  /// Adds a channel, which joins.
  ///
  /// - Parameter make: Makes the channel; the closure that it gets lets the thread make a call of the program's
  /// closures.
  func add(
    _ make: (_ call: @escaping (@escaping () -> Void) -> Void) throws(ChannelError) -> EncodedMembership
  ) throws(ChannelError) -> Int {
    let calls = Calls()
    let channel = try make { calls.append($0) }
    let number = state.withLock { state in
      state.channels[state.nextNumber] = (channel, calls)
      channel.start()
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    bell.wake()
    return number
  }

  /// Uses a channel; nil if it was removed.
  func use<Value>(_ number: Int, _ body: (EncodedMembership) throws -> Value) rethrows -> Value? {
    defer { bell.wake() }
    return try state.withLock { state in try state.channels[number].map { try body($0.membership) } }
  }

  /// Removes a channel, and ends its network at once.
  func remove(_ number: Int) {
    let ended = state.withLock { state in
      EndedChannels([state.channels.removeValue(forKey: number)].compactMap(\.?.membership))
    }
    // The thread must not wait for closed sockets.
    bell.wake()
    ended.stop()
  }

  /// Channels that nobody else knows any more.
  private struct EndedChannels: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the thread that took them out is the only one to use them.
    private let channels: [EncodedMembership]

    init(_ channels: some Sequence<EncodedMembership>) { self.channels = Array(channels) }

    /// Waits for their threads: call it without the lock.
    func stop() { for channel in channels { channel.networks.signalling.stop() } }
  }

  /// News to wait for.
  private struct Wait {
    var sockets: [UDPSocket] = []
    var descriptors: [Int32] = []
    var nanoseconds = EncodedChannelLoop.longestWait
    var calls: [() -> Void] = []
  }

  /// Serves every channel once, and waits.
  ///
  /// - Returns: false after the end.
  private static func turn(_ state: Guarded<State>, _ bell: WakeDescriptor, _ clock: SystemClock) -> Bool {
    let wait = state.withLock { state -> Wait? in
      guard !state.isStopped else { return nil }
      var wait = Wait()
      for (_, (channel, calls)) in state.channels.sorted(by: { $0.key < $1.key }) {
        channel.pump()
        wait.calls += calls.take()
        wait.sockets += channel.networks.media.sockets
        wait.descriptors += channel.networks.signalling.descriptors
        let deadline = channel.nextDeadlineNanoseconds ?? .max
        wait.nanoseconds = min(wait.nanoseconds, max(0, deadline - clock.nowNanoseconds))
      }
      return wait
    }
    guard let wait else { return false }
    for call in wait.calls { call() }
    UDPSocket.wait(for: wait.sockets, or: wait.descriptors + [bell.descriptor], atMostNanoseconds: wait.nanoseconds)
    bell.takeWakes()
    return true
  }
}
