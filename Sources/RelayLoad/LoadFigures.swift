/// Measurements of a load.
///
/// Thread: that of its `LoadUsers`.
package final class LoadFigures {
  /// Counts so far.
  package internal(set) var counts = LoadCounts()
  /// Delays from sending to arrival.
  package internal(set) var delays = DelayDistribution()
  /// Delays since the last `takeRecentDelays`.
  private var recentDelays = DelayDistribution()
  /// Times by which packets left later than planned.
  package internal(set) var lateness = DelayDistribution()
  /// Times from the start of a join to its success, in nanoseconds.
  package internal(set) var joinTimes: [Int] = []

  init() {}

  func addDelay(_ nanoseconds: Int) {
    delays.add(nanoseconds: nanoseconds)
    recentDelays.add(nanoseconds: nanoseconds)
  }

  /// Returns the delays since the last call.
  package func takeRecentDelays() -> DelayDistribution {
    defer { recentDelays = DelayDistribution() }
    return recentDelays
  }
}
