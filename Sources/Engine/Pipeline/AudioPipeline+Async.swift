import AudioGraph
import Platform
import Synchronization

extension AudioPipeline {
  /// Runs an offline pipeline on its own thread until every source is exhausted, as `runToEnd` does.
  ///
  /// ```swift
  /// try await pipeline.run { progress in print("\(progress.position) of \(progress.end ?? .zero)") }
  /// ```
  /// Cancellation of the task ends the run; the sound rendered so far then stays in `out.wav.part` beside `out.wav`.
  ///
  /// - Parameters:
  ///   - pace: Speed of the run.
  ///   - progress: Called about once for every second of sound, and at the end, on the run's thread.
  /// - Throws: The errors of `runToEnd`; `CancellationError` if the task was cancelled before the end.
  public func run(
    pace: Pace = .free, progress: (@Sendable (PipelineProgress) -> Void)? = nil
  ) async throws {
    let cancellation = Cancellation()
    let thread = Guarded<BackgroundThread?>(nil)
    // It has come to its end by then, but for a few instructions.
    defer { thread.withLock { $0 }?.join() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        do {
          let started = try BackgroundThread(named: "pipeline") { [self] in
            do {
              var reported = -1
              func isCancelled() -> Bool {
                // It is called again and again while a source has nothing to give.
                if let progress, tickCount % FrameSchedule.framesPerSecond == 0, tickCount > reported {
                  reported = tickCount
                  progress(self.progress)
                }
                return cancellation.isRequested
              }
              try runToEnd(pace: pace, unlessCancelled: isCancelled)
              progress?(self.progress)
              continuation.resume()
            } catch {
              continuation.resume(throwing: error)
            }
          }
          thread.withLock { $0 = started }
        } catch {
          continuation.resume(throwing: EngineError(.refused, "\(error)", cause: error))
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }

  private var progress: PipelineProgress {
    // The ticks that drain the nodes' delays are behind the end.
    let (rendered, end) = (renderedSampleCount, endPosition)
    return PipelineProgress(
      position: .seconds(min(rendered, end ?? rendered)) / options.sampleRate,
      end: end.map { .seconds($0) / options.sampleRate })
  }
}

/// A cancellation that the task requests and the run's thread checks.
private final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  var isRequested: Bool { requested.load(ordering: .relaxed) }
  func request() { requested.store(true, ordering: .relaxed) }
}
