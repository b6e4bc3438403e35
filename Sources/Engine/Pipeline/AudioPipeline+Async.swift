import AudioGraph
import Platform
import Synchronization

extension AudioPipeline {
  /// Runs an offline pipeline until every source is exhausted, as `runToEnd`, on a thread of its own.
  ///
  /// ```swift
  /// try await pipeline.run { progress in print("\(progress.position) of \(progress.end ?? .zero)") }
  /// ```
  /// A task that is cancelled ends the run; outputs then hold what has come so far.
  ///
  /// - Parameter progress: called about once for every second of sound, on the run's thread.
  /// - Throws: as `runToEnd`; `CancellationError` where the task was cancelled.
  public func run(
    pace: Pace = .free, progress: (@Sendable (PipelineProgress) -> Void)? = nil
  ) async throws {
    let cancellation = Cancellation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        do {
          let thread = Guarded<BackgroundThread?>(nil)
          let started = try BackgroundThread(named: "pipeline") { [self] in
            do {
              try runToEnd(pace: pace) {
                if let progress, tickCount % FrameSchedule.framesPerSecond == 0 { progress(self.progress) }
                return cancellation.isRequested
              }
              if cancellation.isRequested { throw CancellationError() }
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
    PipelineProgress(
      position: .seconds(renderedSampleCount) / options.sampleRate,
      end: endPosition.map { .seconds($0) / options.sampleRate })
  }
}

/// Asked for by the task, looked at by the run's thread.
private final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  var isRequested: Bool { requested.load(ordering: .relaxed) }
  func request() { requested.store(true, ordering: .relaxed) }
}
