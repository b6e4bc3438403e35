import AudioGraph
import FrameObservers

/// Counts, with an observer like any other, what passes every position.
final class PositionCounts: Sendable {
  private struct Count {
    var source: FrameSource
    var calls = 0
    var samples = 0
    /// Samples before the stream begins.
    var early = 0
    /// Samples after it ends.
    var late = 0
  }

  /// Samples per channel, by where they lie.
  struct Totals {
    let early: Int
    let inside: Int
    let late: Int

    var all: Int { early + inside + late }
  }

  private let counts = Guarded<[Count]>([])

  /// - Parameter endPosition: where the longest source ends; nil while that is not known.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    var request = ObserverRequest.look(at: ObserverPosition(ObserverPosition.each)) { [self] frame, source in
      let begin = max(0, -frame.samplePosition)
      let end = min(frame.samplesPerChannel, (endPosition() ?? .max / 2) - frame.samplePosition)
      counts.withLock { counts in
        let index = counts.firstIndex { $0.source == source } ?? counts.endIndex
        if index == counts.endIndex { counts.append(Count(source: source)) }
        counts[index].calls += 1
        let inside = max(0, end - begin)
        counts[index].samples += inside
        let early = min(frame.samplesPerChannel, begin)
        counts[index].early += early
        counts[index].late += frame.samplesPerChannel - inside - early
      }
    }
    request.isMeasured = false
    return request
  }

  /// Samples per channel that passed MIXED.
  func mixedTotals() -> Totals { totals { $0.position == .mixed } }

  /// Samples per channel that passed a position: those that belong to the stream, and those that only fill and drain
  /// the delay.
  func totals(of source: FrameSource) -> Totals { totals { $0 == source } }

  private func totals(where isWanted: (FrameSource) -> Bool) -> Totals {
    counts.withLock { counts in
      let count = counts.first { isWanted($0.source) }
      return Totals(early: count?.early ?? 0, inside: count?.samples ?? 0, late: count?.late ?? 0)
    }
  }

  func snapshot() -> [PositionCount] {
    counts.withLock { counts in
      counts.map { PositionCount(source: $0.source, calls: $0.calls, samplesPerChannel: $0.samples) }
    }
  }
}
