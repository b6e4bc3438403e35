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

  private static let readings = 5
  private let run = Guarded<Run?>(nil)

  /// Begins a run with its first tick's time.
  func begin(_ clock: any EngineClock, originNanoseconds: Int) {
    run.withLock { $0 = Run(clock: clock, originNanoseconds: originNanoseconds) }
  }

  /// Returns the time of the tick that takes a sample of the pipeline's time; nil if the clock shows no such time, and
  /// outside of a live run.
  ///
  /// Both clocks are read now: the system's clock is corrected while the engine's continues. Of a few readings the one
  /// counts that took the shortest time, since a thread may have to wait between two.
  func utc(ofSample position: Int, sampleRate: Int) -> UTCTime? {
    guard let run = run.withLock({ $0 }) else { return nil }
    var best: (span: Int, utc: UTCTime, now: Int)?
    for _ in 0..<Self.readings {
      let begin = run.clock.nowNanoseconds
      guard let utc = run.clock.utcNow else { return nil }
      let end = run.clock.nowNanoseconds
      if end - begin < best?.span ?? .max { best = (end - begin, utc, begin + (end - begin) / 2) }
    }
    guard let best else { return nil }
    let (seconds, samples) = position.quotientAndRemainder(dividingBy: sampleRate)
    let due = run.originNanoseconds + seconds * 1_000_000_000 + samples * 1_000_000_000 / sampleRate
    return best.utc.advanced(byNanoseconds: due - best.now)
  }
}
