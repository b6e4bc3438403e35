public import Engine
import Platform
public import Signalling

/// One channel of an engine: its state, its users, and the calls for it.
///
/// Thread: any.
public final class RtcConnection: Sendable {
  /// Name of the channel.
  public let channel: String
  let user: RtcUser
  let loop: ChannelLoop
  private let delivery: EventDelivery
  private let onEvent: (@Sendable (_ channel: String, ChannelEvent) -> Void)?
  private let status: Guarded<Status>

  struct Status {
    var number: Int?
    var state = ConnectionState.disconnected
    var uid: UInt32?
    var token: String
    var onJoin: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
    /// Whether a closure takes the place of `didJoinChannel`.
    var hidesJoin = false
    /// Closures of the leave, which take the place of `didLeaveChannel`.
    var onLeave: [@Sendable (CallStatistics?) -> Void] = []
    /// Whether the program has left the channel.
    var isLeft = false
    /// Whether nothing is sent or heard yet, and the microphone stays closed for this channel.
    var isSilent: Bool
    /// Calls that wait for the relay, by the ids of their requests.
    var calls: [UInt32: PendingCall] = [:]
    var streams: [AsyncStream<ChannelEvent>.Continuation] = []
    /// Stream since the beginning, for the first reader.
    var firstStream: AsyncStream<ChannelEvent>?
    weak var engine: RtcEngine?
    weak var delegate: (any RtcEngineDelegate)?
  }

  init(
    channel: String, user: RtcUser, token: String, _ engine: RtcEngine, _ delegate: (any RtcEngineDelegate)?,
    loop: ChannelLoop, delivery: EventDelivery, onEvent: (@Sendable (_ channel: String, ChannelEvent) -> Void)?,
    isSilent: Bool = false
  ) {
    self.channel = channel
    self.user = user
    self.loop = loop
    self.delivery = delivery
    self.onEvent = onEvent
    status = Guarded(Status(token: token, isSilent: isSilent, engine: engine, delegate: delegate))
    let stream = makeStream()
    status.withLock { $0.firstStream = stream }
  }

  /// Receives the events of the channel; the engine does not retain it. Events that wait go to the delegate of their
  /// time.
  public var delegate: (any RtcEngineDelegate)? {
    get { status.withLock { $0.delegate } }
    set { status.withLock { $0.delegate = newValue } }
  }

  /// State of the connection.
  public var state: ConnectionState { status.withLock { $0.state } }
  /// Reason why the newest attempt to reach the relay has failed; nil while the channel is joined.
  public var failure: ChannelError? { use { channel, _ in channel.membership.failure } ?? nil }
  /// Uid of the local user; nil before the join.
  public var uid: UInt32? { status.withLock { $0.uid } }
  /// Remote users, by uid in ascending order.
  public var users: [ChannelUser] {
    use { channel, _ in channel.membership.users.values.sorted { $0.uid < $1.uid } } ?? []
  }

  /// Events: the first stream begins with the connection, later ones when they are read. The newest 1024 wait for a
  /// slow reader.
  public var events: AsyncStream<ChannelEvent> { status.withLock { $0.firstStream.take() } ?? makeStream() }

  private func makeStream() -> AsyncStream<ChannelEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ChannelEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    status.withLock { $0.streams.append(continuation) }
    return stream
  }

  // MARK: Calls

  /// Leaves the channel; the events follow.
  ///
  /// - Parameters:
  ///   - options: Sound that ends with the channel; `stopsMicrophone` alone counts.
  ///   - completion: Called with the newest statistics once the channel is left, at once without a channel, and never
  ///     behind `destroy`. With a closure the delegate gets no `didLeaveChannel`.
  public func leave(
    _ options: LeaveOptions = LeaveOptions(), completion: (@Sendable (CallStatistics?) -> Void)? = nil
  ) {
    let isJoined = status.withLock { status in
      status.isLeft = true
      guard status.state != .disconnected else { return false }
      if let completion { status.onLeave.append(completion) }
      return true
    }
    let isKnown: Void? = use { channel, now in
      channel.isLeft = true
      channel.membership.leave(nowNanoseconds: now)
      channel.endMedia()
    }
    engine?.takeLeave(options)
    guard let completion, !isJoined || isKnown == nil else { return }
    status.withLock { $0.onLeave = [] }
    delivery.post { completion(nil) }
  }

  // MARK: Internal

  /// Engine of the channel; nil after its end.
  var engine: RtcEngine? { status.withLock { $0.engine } }
  /// Pipeline of the engine; nil after the engine's end.
  var pipeline: AudioPipeline? { engine?.pipeline }

  /// Requests the relay's reasons for silence.
  ///
  /// - Returns: false without a channel; then `completion` is not called.
  func request(
    _ uid: UInt32?, _ completion: @escaping @Sendable (Result<[DiagnosisFinding], ChannelError>) -> Void
  ) -> Bool {
    use { channel, now in
      guard let id = channel.membership.diagnose(uid, nowNanoseconds: now) else { return false }
      expect(id, PendingCall(.diagnose, findings: completion))
      return true
    } ?? false
  }

  /// Whether the channel is joined, or about to be.
  var isActive: Bool { status.withLock { !$0.isLeft && $0.state != .disconnected && $0.state != .failed } }

  /// Whether nothing is sent or heard yet.
  var isSilent: Bool { status.withLock { $0.isSilent } }

  /// Ends the silence of the beginning.
  ///
  /// - Returns: Whether there was one.
  func endSilence() -> Bool {
    status.withLock { status in
      defer { status.isSilent = false }
      return status.isSilent
    }
  }

  /// Whether the channel's token has expired, and a new one continues the channel.
  var awaitsToken: Bool { use { channel, _ in !channel.isLeft && channel.membership.isAwaitingToken } ?? false }

  /// Makes the place free for another join: a leave ends at once, and a channel that has failed has no further event.
  func discard() {
    if status.withLock({ $0.isLeft }) {
      return use { channel, now in channel.membership.finishLeaving(nowNanoseconds: now) } ?? ()
    }
    if let number = status.withLock({ $0.number }) { loop.remove(number) }
    end(ChannelError(.refused, "another join has taken the place of this one"))
  }

  func start(_ number: Int) { status.withLock { $0.number = number } }

  func setJoinHandler(
    hidesJoin: Bool, _ handler: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
  ) {
    status.withLock { status in
      status.onJoin = handler
      status.hidesJoin = hidesJoin
    }
  }

  @discardableResult
  func use<Value>(_ body: (ActiveChannel, _ nowNanoseconds: Int) -> Value) -> Value? {
    guard let number = status.withLock({ $0.number }) else { return nil }
    return loop.use(number, body)
  }

  func setToken(_ token: String) { status.withLock { $0.token = token } }

  /// Lets a call wait for the answer to its request; without one it is done. Thread: under the lock of the loop.
  func expect(_ id: UInt32?, _ call: PendingCall) {
    status.withLock { status in
      if let id { status.calls[id] = call } else { finish(call, .success([]), &status) }
    }
  }

  /// Posts an event of the pipeline.
  func report(_ kind: PipelineEvent.Kind) {
    var kind = kind
    if case .networkQuality(let report) = kind { kind = .networkQuality(completed(report)) }
    let (engine, delegate) = status.withLock { ($0.engine, $0.delegate) }
    guard let engine, let delegate else { return }
    delivery.post { [weak delegate, weak engine, kind] in
      if let engine { delegate?.deliver(kind, engine) }
    }
  }

  /// Notes an event, and posts it. Thread: under the lock of the loop.
  func report(_ event: ChannelEvent) {
    status.withLock { status in
      status.note(event)
      deliver(event, &status)
      finish(event, &status)
      follow(event, &status)
      // Last, so that a reader finds the calls of this event queued.
      for stream in status.streams { stream.yield(event) }
    }
  }

  /// Lets the engine follow an end that the program has not asked for, and settings that have changed.
  private func follow(_ event: ChannelEvent, _ status: inout Status) {
    let isEnd: Bool
    switch event {
    case .left: isEnd = !status.isLeft
    // A channel that was joined waits for another token.
    case .stateChanged(.failed, let reason): isEnd = reason != .tokenExpired || status.uid == nil
    case .stateChanged(.connecting, .tokenRenewed), .refused, .roleChanged: isEnd = false
    default: return
    }
    guard let engine = status.engine else { return }
    // Each work keeps the engine, as in `deliver`.
    delivery.post { [self] in if isEnd { engine.takeEnd(of: self) } else { engine.settleLocalSound() } }
  }

  private func deliver(_ event: ChannelEvent, _ status: inout Status) {
    if let onEvent {
      delivery.post { [channel] in onEvent(channel, event) }
    }
    let onLeave = event == .left ? status.onLeave : []
    if event == .left { status.onLeave = [] }
    // Each work below keeps the engine: it must not end under the lock of the loop, if nobody else has it any more.
    guard !onLeave.isEmpty || status.delegate != nil, let engine = status.engine else { return }
    guard onLeave.isEmpty else {
      return delivery.post { for completion in onLeave { completion(engine.callStatistics) } }
    }
    let (channel, token, hidesJoin) = (channel, status.token, status.hidesJoin)
    delivery.post { [weak delegate = status.delegate] in
      delegate?.deliver(event, of: channel, engine, token: token, hidesJoin: hidesJoin)
    }
  }

  /// Completes the calls that wait for an event.
  private func finish(_ event: ChannelEvent, _ status: inout Status) {
    let result: Result<JoinedChannel, ChannelError>?
    switch event {
    case .joined(let uid, _, let elapsed):
      result = .success(JoinedChannel(channel: channel, uid: uid, elapsedMilliseconds: elapsed))
    case .failed(let error) where status.state != .connected: result = .failure(error)
    case .left: result = .failure(ChannelError(.refused, "the channel '\(channel)' was left before it was joined"))
    case .diagnosed(let id, let findings): return finish(id, .success(findings), &status)
    case .granted(let id): return finish(id, .success([]), &status)
    case .refused(let id, let error): return finish(id, .failure(error), &status)
    default: return
    }
    guard let result, let handler = status.onJoin else { return }
    status.onJoin = nil
    delivery.post { handler(result) }
  }

  private func finish(_ id: UInt32, _ result: Result<[DiagnosisFinding], ChannelError>, _ status: inout Status) {
    if let call = status.calls.removeValue(forKey: id) { finish(call, result, &status) }
  }

  private func finish(
    _ call: PendingCall, _ result: Result<[DiagnosisFinding], ChannelError>, _ status: inout Status
  ) {
    let (engine, delegate) = (status.engine, status.delegate)
    delivery.post { [weak delegate] in
      if let engine { delegate?.deliver(call.call, result, engine) }
      call.completion?(result)
    }
  }

  /// Ends the calls that wait, since nothing follows.
  func end(_ error: ChannelError) {
    let (handler, calls, streams) = status.withLock { status in
      defer { (status.onJoin, status.calls, status.streams) = (nil, [:], []) }
      return (status.onJoin, status.calls, status.streams)
    }
    handler?(.failure(error))
    for call in calls.values { call.completion?(.failure(error)) }
    for stream in streams { stream.finish() }
  }
}
