public import AudioGraph
public import FrameObservers
import Glibc
import Synchronization

extension AudioPipeline {
  /// Registers an observer. Read-write observers in a custom format add latency until they are removed.
  ///
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end; nothing is registered then.
  @discardableResult
  public func observe(_ request: ObserverRequest) throws(EngineError) -> ObserverRegistration {
    try edit("the observer cannot be registered") { try add(request) }
  }

  private func add(_ request: ObserverRequest) throws -> ObserverRegistration {
    try core.checkNotFinished()
    return try core.hub.add(
      request, onMask: { [weak self] in self?.maskHasChanged() },
      onRemove: { [weak self] in self?.observerWasRemoved() })
  }

  /// Calls `body` with the frames of the positions, every 10 ms unless `params` say otherwise.
  ///
  /// ```swift
  /// try pipeline.observe(.mixed) { frame, origin in print(frame.samplePosition) }
  /// ```
  /// - Parameters:
  ///   - positions: Positions of the frames.
  ///   - params: Requested format of the frames; nil: the pipeline's.
  ///   - isAsynchronous: Whether `body` runs on its own thread, and may wait; otherwise it runs on the audio thread.
  ///   - capacity: Number of frames that may wait for an asynchronous body.
  ///   - body: Called with each frame and its origin.
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end; nothing is registered then.
  @discardableResult
  public func observe(
    _ positions: ObserverPosition, as params: AudioParams? = nil, isAsynchronous: Bool = false, capacity: Int = 50,
    _ body: @escaping @Sendable (borrowing AudioFrame, FrameOrigin) -> Void
  ) throws(EngineError) -> ObserverRegistration {
    try observe(
      .readOnly(
        at: positions, params: Self.params(params, positions), isAsynchronous: isAsynchronous, capacity: capacity, body)
    )
  }

  /// Calls `body` with the frames of the positions, which it may change. Thread of `body`: audio.
  ///
  /// ```swift
  /// try pipeline.modify(.record) { frame, origin in
  ///   if origin.uid == 1 { frame.mute() }
  /// }
  /// ```
  /// - Parameters:
  ///   - positions: Positions of the frames.
  ///   - params: Requested format of the frames, which adds latency; nil: the pipeline's, without added latency.
  ///   - body: Called with each frame and its origin.
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end; nothing is registered then.
  @discardableResult
  public func modify(
    _ positions: ObserverPosition, as params: AudioParams? = nil,
    _ body: @escaping @Sendable (inout MutableAudioFrame, FrameOrigin) -> Void
  ) throws(EngineError) -> ObserverRegistration {
    try observe(.readWrite(at: positions, params: Self.params(params?.writable, positions), body))
  }

  private static func params(
    _ params: AudioParams?, _ positions: ObserverPosition
  ) -> [ObserverPosition: AudioParams] {
    guard let params else { return [:] }
    return Dictionary(uniqueKeysWithValues: ObserverPosition.each.filter(positions.contains).map { ($0, params) })
  }

  /// Registers an `AudioDataFrameObserver`; `mask` can be changed at the registration.
  ///
  /// - Throws: `.invalidArgument` with the fault; nothing is registered then.
  @discardableResult
  public func register(_ observer: any AudioDataFrameObserver, mask: ObserverPosition = .standard)
    throws(EngineError) -> ObserverRegistration
  {
    try observe(.observer(observer, mask: mask))
  }

  /// Returns the frames of a position as an `AsyncSequence`, which ends when the pipeline finishes.
  ///
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end.
  public func frames(at position: ObserverPosition, params: AudioParams? = nil, capacity: Int = 50)
    throws(EngineError) -> FrameStream
  {
    try stream(capacity: capacity) { $0.request(at: position, params: params) }
  }

  /// Returns the frames of one user before mixing as an `AsyncSequence`, which ends when the pipeline finishes.
  ///
  /// ```swift
  /// let frames = try pipeline.frames(of: 1, as: AudioParams(sampleRate: 16_000, channelCount: 1))
  /// ```
  /// - Parameters:
  ///   - uid: The user, which may come later.
  ///   - channelID: Channel of the user; nil: the pipeline's own, and the main channel of an engine.
  ///   - params: Requested format of the frames; nil: the pipeline's.
  ///   - includesMuted: Whether frames come while the user is muted, too.
  ///   - capacity: Number of frames that may wait.
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end.
  public func frames(
    of uid: UInt32, channel channelID: String? = nil, as params: AudioParams? = nil, includesMuted: Bool = false,
    capacity: Int = 50
  ) throws(EngineError) -> FrameStream {
    let (own, main) = (options.channelID, core.mainChannelID)
    return try stream(capacity: capacity) { stream in
      var request = stream.request(at: .beforeMixing, params: params)
      request.users = [uid]
      request.wantsChannel = { channel in
        channelID.map { $0 == channel } ?? (channel == own || channel == main.withLock { $0 })
      }
      request.includesMuted = includesMuted
      return request
    }
  }

  private func stream(
    capacity: Int, _ request: (FrameStream) -> ObserverRequest
  ) throws(EngineError) -> FrameStream {
    let stream = FrameStream(capacity: capacity, isOffline: options.isOffline)
    return try edit("frames cannot be given") {
      _ = try add(request(stream))
      frameStreams.append(stream)
      return stream
    }
  }

  /// Returns the reasons why an observer is not called at a position; empty if nothing prevents the calls.
  public func diagnose(_ registration: ObserverRegistration, at position: ObserverPosition) -> [InactivityReason] {
    let conditions = lock.withLock { _ in
      PipelineConditions(
        isRunning: core.run.isRunning.load(ordering: .relaxed), isInChannel: true,
        isCapturing: hasVoice && userStates.isAudioEnabled,
        isLocalMuted: isEveryVoiceMuted,
        remotePublisherCount: userStates.remote.values.filter(\.isHeard).count,
        isEarMonitoring: userStates.local?.ear != nil)
    }
    return conditions.diagnose(registration, at: position)
  }

  private var hasVoice: Bool {
    userStates.local?.isCaptured == true || userStates.remote.values.contains(where: \.hasUplink)
  }

  private var isEveryVoiceMuted: Bool {
    userStates.local?.isMuted == true && !userStates.remote.values.contains { $0.uplink != nil }
  }

  /// Sweeps after an observer was removed. On the audio thread the graph is not touched: the driver or housekeeper does
  /// it soon.
  private func observerWasRemoved() {
    core.run.requestSweep()
    if core.run.tickingThread.load(ordering: .acquiring) != UInt(pthread_self()) { sweep() }
  }

  /// Removes the nodes of observers and features that have ended, and checks the positions that observers request.
  func sweep() {
    guard core.run.needsSweep.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let hasLocalNews = lock.withLock { _ in
      // A graph that was valid with an observer or a sound is valid without it.
      let hasSwept = [(try? core.hub.sweep()) == true, features.sweep(graph: core.graph)]
      if hasSwept.contains(true) { try? applyEdit() }
      reconcileListening()
      return userStates.takeLocalNews()
    }
    if hasLocalNews { reportLocalChange() }
  }
}
