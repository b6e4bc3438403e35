public import AudioGraph
public import FrameObservers
import Glibc
import Synchronization

extension AudioPipeline {
  /// Registers an observer. Read-write observers in a format of their own add latency until they are removed.
  ///
  /// Throws: `.invalidArgument` with what is wrong; nothing is registered then.
  public func observe(_ request: ObserverRequest) throws(EngineError) -> ObserverRegistration {
    try edit("the observer cannot be registered") {
      try core.hub.add(
        request, onMask: { [weak self] in self?.maskHasChanged() },
        onRemove: { [weak self] in self?.observerWasRemoved() })
    }
  }

  /// Registers an `AudioDataFrameObserver`; `mask` can be changed at the registration.
  ///
  /// Throws: as `observe`.
  public func register(_ observer: any AudioDataFrameObserver, mask: ObserverPosition = .standard)
    throws(EngineError) -> ObserverRegistration
  {
    try observe(.observer(observer, mask: mask))
  }

  /// The frames of a position as an `AsyncSequence`, which ends when the pipeline finishes.
  public func frames(at position: ObserverPosition, params: AudioParams? = nil, capacity: Int = 50)
    throws(EngineError) -> FrameStream
  {
    let stream = FrameStream(capacity: capacity, isLossless: options.isLossless)
    _ = try observe(stream.request(at: position, params: params))
    lock.withLock { _ in frameStreams.append(stream) }
    return stream
  }

  /// Why an observer is not called at a position; empty when nothing stands in the way.
  public func diagnose(for registration: ObserverRegistration, at position: ObserverPosition) -> [InactivityReason] {
    let conditions = lock.withLock { _ in
      PipelineConditions(
        isRunning: core.run.isRunning.load(ordering: .relaxed), isInChannel: true,
        isCapturing: hasVoice && users.isAudioEnabled,
        isLocalMuted: isEveryVoiceMuted,
        remotePublisherCount: users.remote.values.filter(\.isHeard).count,
        isEarMonitoring: users.local?.ear != nil)
    }
    return conditions.diagnose(for: registration, at: position)
  }

  private var hasVoice: Bool { users.local?.isCaptured == true || users.remote.values.contains(where: \.hasUplink) }

  private var isEveryVoiceMuted: Bool {
    users.local?.isMuted == true && !users.remote.values.contains { $0.uplink != nil }
  }

  /// From the audio thread the graph is not touched: the driver or housekeeper does it soon.
  private func observerWasRemoved() {
    core.run.requestSweep()
    if core.run.tickingThread.load(ordering: .acquiring) != UInt(pthread_self()) { sweep() }
  }

  /// Removes the nodes of observers and features that have ended, and looks at the positions that observers ask for.
  func sweep() {
    guard core.run.needsSweep.exchange(false, ordering: .acquiringAndReleasing) else { return }
    lock.withLock { _ in
      // What was valid with an observer or a sound is valid without it.
      let hasSwept = [(try? core.hub.sweep()) == true, features.sweep(graph: core.graph)]
      if hasSwept.contains(true) { try? applyEdit() }
      reconcileListening()
    }
  }
}
