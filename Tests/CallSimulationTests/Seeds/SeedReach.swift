import Platform
import Synchronization
import Testing

/// Collects the points that the seeds of a run reach. With the last seed of CI, a point that none has reached is a
/// failure; a chosen range of seeds prints a report.
final class SeedReach: Sendable {
  private struct State {
    var left: Int
    var seeds: [ReachPoint: [String]] = [:]
  }

  /// The seeds of this run.
  static let ofRun = SeedReach(
    caseCount: SeedChoice.seeds(SeedChoice.oneChannel).count + SeedChoice.seeds(SeedChoice.severalChannels).count)

  private let state: Mutex<State>

  /// - Parameter caseCount: Number of calls in the run.
  init(caseCount: Int) { state = Mutex(State(left: caseCount)) }

  /// Notes the points of a call.
  ///
  /// - Returns: The points that no call has reached, once all have been noted; nil before.
  func note(_ points: [ReachPoint], of call: String) -> [ReachPoint]? {
    state.withLock { state in
      for point in points { state.seeds[point, default: []].append(call) }
      state.left -= 1
      guard state.left == 0 else { return nil }
      return ReachPoint.allCases.filter { state.seeds[$0] == nil }
    }
  }

  /// A line for each point: the number of calls that have reached it, and the first of them.
  var report: String {
    state.withLock { state in
      ReachPoint.allCases.map { point in
        let calls = state.seeds[point] ?? []
        return "reach: \(calls.count) \(point) (\(calls.sorted().prefix(8).joined(separator: " ")))"
      }.joined(separator: "\n")
    }
  }
}
