public import AudioGraph

extension AudioPipeline {
  /// The steps that each tick runs, in order. Compiles the graph if that has not been done.
  ///
  /// Throws: what is wrong with the graph.
  public func planSteps() throws(EngineError) -> [PlanStep] {
    _ = try latency()
    return lock.withLock { _ in runner.plan?.steps ?? [] }
  }

  /// Samples per channel rendered so far.
  public var renderedSampleCount: Int { schedule.position(ofFrame: runner.tickCount) }
}
