import AudioGraph
import Engine

/// The events of a job that its result keeps.
///
/// Volumes are left out: `levels` has those of the output, and each voice would add two of them every interval.
final class KeptEvents: Sendable {
  private let kept = Guarded<[PipelineEvent]>([])

  /// Returns the kept events and `others`, which were found later, in the order of their times.
  func all(with others: [PipelineEvent]) -> [PipelineEvent] {
    var all = kept.withLock { $0 }
    for other in others { all.insert(other, at: all.firstIndex { $0.time > other.time } ?? all.count) }
    return all
  }

  /// Keeps an event for the result.
  ///
  /// - Parameter event: event to keep.
  /// - Returns: false if the result does not contain such events.
  func keep(_ event: PipelineEvent) -> Bool {
    if case .volumes = event.kind { return false }
    kept.withLock { $0.append(event) }
    return true
  }
}
