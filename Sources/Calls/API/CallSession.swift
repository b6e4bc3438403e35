import AudioGraph
import Devices
import Engine
import Platform

/// The calls of a user from `initialize` to `deinitialize`: a machine, its timer, its rooms and its signalling.
///
/// Thread: any. Outputs of the machine are carried out in order, on the thread of the engine's delegates.
final class CallSession: SignalListener {
  typealias Completion = @Sendable (Result<Void, CallError>) -> Void

  private struct State: Sendable {
    var machine: CallMachine
    var outputs: [CallOutput] = []
    var completions: [Int: Completion] = [:]
    var completionCount = 0
    var rooms: [Int: CallRoom] = [:]
    var silence: SilentSource?
    var isOver = false
  }

  let user: UInt32
  let engine: RtcEngine
  private let signalClient: any SignalClient
  private let listeners: WeakList<any CallListener>
  private let state: Guarded<State>
  private let bell = Doorbell()
  private let registration = Guarded<EventRegistration?>(nil)

  init(_ config: CallConfig, _ listeners: WeakList<any CallListener>) throws(CallError) {
    user = config.userID
    engine = config.engine
    signalClient = config.signalClient
    self.listeners = listeners
    let environment = engine.environment
    state = Guarded(
      State(
        machine: CallMachine(
          user: user, random: environment.makeRandom(nil),
          unixMilliseconds: { Int64(environment.unixNanoseconds() / 1_000_000) })))
    engine.closeMicrophone()
    if !environment.isStepped { try startTimer() }
    let new = engine.pipeline.onEvent { [weak self] event in
      if case .localAudioState(.failed, let error) = event.kind { self?.captureFailed(error) }
    }
    registration.withLock { $0 = new }
  }

  /// Begins to take messages.
  func start() { signalClient.addListener(self) }

  /// Takes no further messages; those that are under way have their outcomes.
  func endReceiving() { signalClient.removeListener(self) }

  /// Ends the timer; nothing follows.
  private func stop() {
    state.withLock { $0.isOver = true }
    bell.ring()
    signalClient.removeListener(self)
    registration.withLock { $0.take() }?.remove()
  }

  /// Whether the calls are deinitialized, and all messages are on their way.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Id of the call; nil without one.
  var callID: String? { state.withLock { $0.machine.callID } }

  var callState: CallState { state.withLock { $0.machine.state } }

  // MARK: Input

  /// Passes a call of the application to the machine.
  func call(
    _ completion: Completion?, _ body: (inout CallMachine, _ completion: Int?, _ now: Int) -> Void
  ) {
    guard !engine.isDestroyed else {
      completion?(.failure(CallError(.destroyed)))
      return
    }
    let isTaken = run { state, now in
      var number: Int?
      if let completion {
        state.completionCount += 1
        number = state.completionCount
        state.completions[state.completionCount] = completion
      }
      body(&state.machine, number, now)
    }
    guard !isTaken else { return }
    completion?(
      .failure(engine.isDestroyed ? CallError(.destroyed) : CallError(.wrongState, "the calls are deinitialized")))
  }

  /// Passes news to the machine.
  func take(_ body: (inout CallMachine, _ now: Int) -> Void) { run { state, now in body(&state.machine, now) } }

  func onMessageReceive(_ message: String, from userID: String) {
    guard let sender = UInt32(userID), sender > 0, "\(sender)" == userID else {
      return debugInfo("a message names a sender that is not a decimal uid; it is dropped", level: .warning)
    }
    take { machine, now in machine.receive(message, from: sender, now) }
  }

  func debugInfo(_ message: String, level: CallLogLevel) {
    take { machine, _ in machine.emit(.debug(message, level)) }
  }

  // MARK: Time

  /// Time of the next `poll`; nil if nothing waits.
  var nextDeadline: Int? { state.withLock { $0.machine.nextDeadline } }

  /// Serves the deadlines.
  func poll() {
    if engine.isDestroyed { return endWithEngine() }
    let isDue = nextDeadline.map { $0 <= engine.clock.nowNanoseconds } ?? false
    if isDue { take { machine, now in machine.poll(now) } }
  }

  private func startTimer() throws(CallError) {
    do throws(ThreadError) {
      let thread = try BackgroundThread(named: "calls") { [weak self, bell, clock = engine.clock] in
        while true {
          guard let deadline = self?.wait() else { return }
          let milliseconds = max(0, (deadline - clock.nowNanoseconds + 999_999) / 1_000_000)
          bell.wait(atMostMilliseconds: min(1_000, milliseconds))
          self?.poll()
        }
      }
      thread.detach()
    } catch {
      throw CallError(ChannelError(.notReady, "\(error)"))
    }
  }

  /// Time of the next work; nil after the end.
  private func wait() -> Int? { state.withLock { $0.isOver ? nil : $0.machine.nextDeadline ?? .max / 2 } }

  // MARK: Output

  /// - Returns: false behind the end, when nothing is done.
  @discardableResult
  private func run(_ body: (inout State, _ now: Int) -> Void) -> Bool {
    let hasOutputs = state.withLock { state -> Bool? in
      guard !state.isOver else { return nil }
      body(&state, engine.clock.nowNanoseconds)
      state.outputs += state.machine.takeOutputs()
      return !state.outputs.isEmpty
    }
    bell.ring()
    // The work keeps the session, so that the end of a call arrives.
    guard let hasOutputs else { return false }
    if hasOutputs { engine.post { [self] in carryOut() } }
    // It may have ended meanwhile: then nobody carries outputs out.
    if engine.isDestroyed { endWithEngine() }
    return true
  }

  private func carryOut() {
    // A listener may destroy the engine.
    while !engine.isDestroyed, let output = state.withLock({ $0.outputs.isEmpty ? nil : $0.outputs.removeFirst() }) {
      carryOut(output)
    }
  }

  private func carryOut(_ output: CallOutput) {
    switch output {
    case .send(let number, let text, let receiver, let expiry):
      signalClient.sendMessage(text, to: "\(receiver)", expiry: expiry) { [weak self] result in
        let error: SignalError? = if case .failure(let error) = result { error } else { nil }
        self?.take { machine, now in machine.sent(number, error, now) }
      }
    case .preload(let preparation, let room, let token): preload(preparation, room, token)
    case .join(let attempt, let room, let token, let peer, let isAccepted):
      let new = CallRoom(attempt, peer) { [listeners] in
        for listener in listeners.all { listener.tokenPrivilegeWillExpire() }
      } take: { [weak self] body in
        self?.take(body)
      }
      state.withLock { $0.rooms[attempt] = new }
      if isAccepted { addSilence() }
      new.join(room, token: token, user: user, isAccepted: isAccepted, with: engine)
    case .open(let attempt):
      addSilence()
      room(attempt)?.open()
    case .leave(let attempt):
      state.withLock { $0.silence.take() }?.isKept = false
      state.withLock { $0.rooms.removeValue(forKey: attempt) }?.leave { [self] in
        take { machine, _ in machine.left(attempt) }
      }
    case .release(let room): engine.endPreload(channel: room, user: .uid(user))
    case .renew(let attempt, let token): room(attempt)?.renew(token)
    case .askEarlyJoin(let id, let info):
      guard listeners.all.contains(where: { $0.canJoinRtcOnCalling(eventInfo: info) }) else { return }
      take { machine, _ in machine.mayJoin(id) }
    case .complete(let number, let error):
      let completion = state.withLock { $0.completions.removeValue(forKey: number) }
      completion?(error.map { .failure($0) } ?? .success(()))
    case .over: stop()
    case .state(.calling, _, _, _):
      // A leave of another channel may have left it open.
      engine.closeMicrophone()
      notify(of: output)
    default: notify(of: output)
    }
  }

  private func notify(of output: CallOutput) { for listener in listeners.all { output.notify(listener, user: user) } }

  /// Lets a user without a source be heard, too.
  private func addSilence() {
    if let silence = engine.addSilence() { state.withLock { $0.silence = silence } }
  }

  private func room(_ attempt: Int) -> CallRoom? { state.withLock { $0.rooms[attempt] } }

  private func preload(_ preparation: Int?, _ room: String, _ token: String) {
    let done: @Sendable (Result<Void, ChannelError>) -> Void = { [weak self] result in
      guard let preparation else { return }
      let error: CallError? = if case .failure(let error) = result { CallError(error) } else { nil }
      self?.take { machine, _ in machine.prepared(preparation, error) }
    }
    do throws(ChannelError) {
      try engine.preload(
        channel: room, token: token, user: .uid(user), profile: .communication, timeout: .seconds(10),
        completion: done)
    } catch {
      done(.failure(error))
    }
  }

  private func captureFailed(_ error: LocalAudioError) {
    take { machine, _ in
      machine.captureFailed(code: error.rawValue, "the capture device cannot be used; see localAudioStateChanged")
    }
  }

  /// Completes the calls that wait: the engine calls nobody any more.
  private func endWithEngine() {
    stop()
    let completions = state.withLock { state in
      state.silence?.isKept = false
      defer { (state.completions, state.outputs, state.rooms, state.silence) = ([:], [], [:], nil) }
      return state.completions
    }
    for completion in completions.values { completion(.failure(CallError(.destroyed))) }
  }
}
