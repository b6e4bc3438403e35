public import AudioGraph
import FrameObservers

extension AudioPipeline {
  /// Returns the steps that each tick runs, in order. Compiles the graph if that has not been done.
  ///
  /// - Throws: An error of the graph.
  public func planSteps() throws(EngineError) -> [PlanStep] {
    _ = try latency()
    return lock.withLock { _ in core.runner.plan?.steps ?? [] }
  }

  /// Samples per channel rendered so far.
  public var renderedSampleCount: Int { core.nowPosition }

  /// Attenuation by each limiter in the graph so far, in the order in which sound passes them.
  ///
  /// Thread: any but the audio thread.
  public var limiterUses: [LimiterUse] {
    lock.withLock { _ in
      let uplinks = userStates.order.map { userStates.remote[$0]?.uplink } + [userStates.local?.uplink]
      let sent = uplinks.compactMap { $0 }.map { LimiterUse($0.limiter, of: $0.place) }
      let own = userStates.local?.ear.map { [LimiterUse($0.limiter, of: $0.place)] } ?? []
      return sent + own + [
        LimiterUse(core.listener.playbackLimiter, of: FrameOrigin(position: .playback, channelID: options.channelID)),
        LimiterUse(core.listener.mixedLimiter, of: FrameOrigin(position: .mixed, channelID: options.channelID)),
      ]
    }
  }

  /// The end of the longest source, for threads that must not keep the pipeline alive.
  package var knownEnd: KnownEnd { core.knownEnd }

  /// The sample positions of frames.
  package var schedule: FrameSchedule { core.schedule }
}
