import FrameObservers
import Synchronization

/// Counts, with an observer like any other, what passes every position.
final class PositionCounts: Sendable {
  private struct Count {
    var source: FrameSource
    var calls = 0
    var samples = 0
    /// Samples before the stream begins and after it ends.
    var samplesOutside = 0
  }

  private let counts = Mutex<[Count]>([])

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
        counts[index].samplesOutside += frame.samplesPerChannel - inside
      }
    }
    request.isMeasured = false
    return request
  }

  /// Samples per channel of MIXED that belong to the stream, and those that only fill and drain the delay.
  func mixedTotals() -> (inside: Int, outside: Int) {
    counts.withLock { counts in
      let mixed = counts.first { $0.source.position == .mixed }
      return (mixed?.samples ?? 0, mixed?.samplesOutside ?? 0)
    }
  }

  func snapshot() -> [PositionCount] {
    counts.withLock { counts in
      counts.map { PositionCount(source: $0.source, calls: $0.calls, samplesPerChannel: $0.samples) }
    }
  }
}
