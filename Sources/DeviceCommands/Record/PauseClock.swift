import Engine

/// Time that is in a recording's files, without its pauses.
///
/// Thread: one.
final class PauseClock {
  private let pipeline: AudioPipeline
  private let start: Int
  private var pausedTicks = 0
  private var pauseBegin: Int?

  /// Starts at the pipeline's present tick.
  init(_ pipeline: AudioPipeline) {
    self.pipeline = pipeline
    start = pipeline.tickCount
  }

  var isPaused: Bool { pauseBegin != nil }

  /// Length of the pauses that are over, in seconds.
  var pausedSeconds: Double { Double(pausedTicks) / 100 }

  /// Seconds of sound so far.
  var seconds: Double { Double((pauseBegin ?? pipeline.tickCount) - start - pausedTicks) / 100 }

  /// Pauses the recordings, or resumes them.
  func toggle() {
    if isPaused { return resume() }
    pauseBegin = pipeline.tickCount
    pipeline.recorder.pause()
  }

  /// Resumes the recordings, if they are paused.
  func resume() {
    guard let begin = pauseBegin else { return }
    pipeline.recorder.resume()
    pausedTicks += pipeline.tickCount - begin
    pauseBegin = nil
  }
}
