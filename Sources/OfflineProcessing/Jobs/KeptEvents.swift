import AudioGraph
import Engine

/// The events of a job that its result keeps. Volumes are left out: `levels` has those of the output, and of each
/// voice there would be two every interval.
final class KeptEvents: Sendable {
  private let kept = Guarded<[PipelineEvent]>([])

  /// All of them and `others`, which were found out later, in the order of their times.
  func all(with others: [PipelineEvent]) -> [PipelineEvent] {
    var all = kept.withLock { $0 }
    for other in others { all.insert(other, at: all.firstIndex { $0.time > other.time } ?? all.count) }
    return all
  }

  /// Returns: false where the event is none for the result.
  func keep(_ event: PipelineEvent) -> Bool {
    if case .volumes = event.kind { return false }
    kept.withLock { $0.append(event) }
    return true
  }
}
