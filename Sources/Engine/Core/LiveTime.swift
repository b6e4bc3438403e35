import AudioGraph

/// Time of a live run's ticks, by the clock that they wait for.
///
/// Thread: any.
final class LiveTime: Sendable {
  private struct Run {
    let clock: any EngineClock
    /// Time of the first tick.
    let originNanoseconds: Int
  }

  private let run = Guarded<Run?>(nil)

  /// Begins a run with its first tick's time.
  func begin(_ clock: any EngineClock, originNanoseconds: Int) {
    run.withLock { $0 = Run(clock: clock, originNanoseconds: originNanoseconds) }
  }

  /// Returns the time of the tick that takes a sample of the pipeline's time; nil if the clock shows no such time, and
  /// outside of a live run.
  ///
  /// Both clocks are read now: the system's clock is corrected while the engine's continues.
  func utc(ofSample position: Int, sampleRate: Int) -> UTCTime? {
    guard let run = run.withLock({ $0 }), let now = run.clock.utcNow else { return nil }
    let (seconds, samples) = position.quotientAndRemainder(dividingBy: sampleRate)
    let due = run.originNanoseconds + seconds * 1_000_000_000 + samples * 1_000_000_000 / sampleRate
    return now.advanced(byNanoseconds: due - run.clock.nowNanoseconds)
  }
}
