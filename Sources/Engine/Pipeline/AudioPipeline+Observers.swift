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
      try hub.add(
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
    lock.withLock { _ in streams.append(stream) }
    return stream
  }

  /// Why an observer is not called at a position; empty when nothing stands in the way.
  public func causesOfSilence(for registration: ObserverRegistration, at position: ObserverPosition) -> [SilenceCause] {
    let conditions = lock.withLock { _ in
      PipelineConditions(
        isRunning: isRunning.load(ordering: .relaxed), isInChannel: true, isCapturing: hasVoice && isAudioEnabled,
        isLocalMuted: isEveryVoiceMuted,
        remotePublisherCount: remoteUsers.values.filter(\.isHeard).count,
        isEarMonitoring: localUser?.ear != nil)
    }
    return conditions.causesOfSilence(for: registration, at: position)
  }

  private var hasVoice: Bool { localUser?.isCaptured == true || remoteUsers.values.contains(where: \.hasUplink) }

  private var isEveryVoiceMuted: Bool {
    localUser?.isMuted == true && !remoteUsers.values.contains { $0.uplink != nil }
  }

  /// From the audio thread the graph is not touched: the driver or housekeeper does it soon.
  private func observerWasRemoved() {
    needsSweep.store(true, ordering: .releasing)
    if tickingThread.load(ordering: .acquiring) != UInt(pthread_self()) { sweep() }
  }

  /// Takes the nodes of removed observers and of sounds that have ended out, and looks at what observers ask for.
  func sweep() {
    guard needsSweep.exchange(false, ordering: .acquiringAndReleasing) else { return }
    lock.withLock { _ in
      // What was valid with an observer or a sound is valid without it.
      let hasSwept = [(try? hub.sweep()) == true, (try? sweepSounds()) == true]
      if hasSwept.contains(true) { try? applyEdit() }
      reconcileListening()
    }
  }
}
