import FrameObservers
import Synchronization

/// Counts, with an observer like any other, what passes every position.
final class PositionCounts: Sendable {
  private struct Count {
    var source: FrameSource
    var calls = 0
    var samples = 0
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
        counts[index].samples += max(0, end - begin)
      }
    }
    request.isMeasured = false
    return request
  }

  func snapshot() -> [PositionCount] {
    counts.withLock { counts in
      counts.map { PositionCount(source: $0.source, calls: $0.calls, samplesPerChannel: $0.samples) }
    }
  }
}
