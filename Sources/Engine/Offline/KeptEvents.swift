import AudioGraph

/// The events of a job that its result keeps. Volumes are left out: `levels` has those of the output, and of each
/// voice there would be two every interval.
final class KeptEvents: Sendable {
  private let kept = Guarded<[PipelineEvent]>([])

  var all: [PipelineEvent] { kept.withLock { $0 } }

  /// Returns: false where the event is none for the result.
  func keep(_ event: PipelineEvent) -> Bool {
    if case .volumes = event.kind { return false }
    kept.withLock { $0.append(event) }
    return true
  }
}
