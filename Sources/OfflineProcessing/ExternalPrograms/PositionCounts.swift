import AudioGraph
import FrameObservers

/// Counts the frames and samples at every position, with an ordinary observer.
final class PositionCounts: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `counts` belongs to the thread that runs the job, which makes the ticks as well.

  private struct Count {
    let source: FrameOrigin
    var calls = 0
    var samples = 0
    /// Samples before the stream begins.
    var early = 0
    /// Samples after the stream ends.
    var late = 0

    mutating func add(_ frame: borrowing AudioFrame, endPosition: Int) {
      let begin = max(0, -frame.samplePosition)
      let end = min(frame.samplesPerChannel, endPosition - frame.samplePosition)
      let (inside, before) = (max(0, end - begin), min(frame.samplesPerChannel, begin))
      calls += 1
      samples += inside
      early += before
      late += frame.samplesPerChannel - inside - before
    }
  }

  /// Samples per channel: before the stream, inside it and after it.
  struct Totals {
    let early: Int
    let inside: Int
    let late: Int

    var all: Int { early + inside + late }
  }

  private var counts: [Count] = []

  /// Returns the request for the observer.
  ///
  /// - Parameter endPosition: returns the end of the longest source; nil while it is unknown.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    var request = ObserverRequest.readOnly(at: ObserverPosition(ObserverPosition.each)) { [self] frame, source in
      let index = counts.firstIndex { $0.source == source } ?? counts.endIndex
      if index == counts.endIndex { counts.append(Count(source: source)) }
      counts[index].add(frame, endPosition: endPosition() ?? .max / 2)
    }
    request.isMeasured = false
    return request
  }

  /// Returns the samples per channel that passed MIXED.
  func mixedTotals() -> Totals { totals { $0.position == .mixed } }

  /// Returns the samples per channel that passed a position: those of the stream, and those that only fill and drain
  /// the delay.
  func totals(of source: FrameOrigin) -> Totals { totals { $0 == source } }

  private func totals(where isWanted: (FrameOrigin) -> Bool) -> Totals {
    let count = counts.first { isWanted($0.source) }
    return Totals(early: count?.early ?? 0, inside: count?.samples ?? 0, late: count?.late ?? 0)
  }

  func snapshot() -> [PositionCount] {
    counts.map { PositionCount(source: $0.source, calls: $0.calls, samplesPerChannel: $0.samples) }
  }
}
