import Glibc
import TestSupport

/// The seeds of a run.
///
/// AUDIOPIPE_SEEDS=N chooses seeds 1 to N, and FROM-TO that range. AUDIOPIPE_LONG=1 chooses 1 to 100. Without either, a
/// run has those of CI, which reach every point together. All calls of a run count for its limit of time, which
/// AUDIOPIPE_LONG=1 lifts.
enum SeedChoice {
  /// Seeds of CI for one channel.
  static let oneChannel = [201, 206, 207, 213, 214]
  /// Seeds of CI for several channels.
  static let severalChannels = [209, 211]

  /// Whether AUDIOPIPE_SEEDS names the seeds.
  static let isNamed = getenv("AUDIOPIPE_SEEDS") != nil

  /// The chosen seeds; nil for those of CI.
  static let chosen: ClosedRange<Int>? = {
    if let text = getenv("AUDIOPIPE_SEEDS").map({ String(cString: $0) }) {
      guard let range = range(text) else { fatalError("AUDIOPIPE_SEEDS is a number, or FROM-TO: \(text)") }
      return range
    }
    return LongRun.isWanted ? 1...100 : nil
  }()

  static func seeds(_ ofCI: [Int]) -> [Int] { chosen.map(Array.init) ?? ofCI }

  /// Reads a choice; nil for any other text.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    switch parts.count {
    case 1: return parts[0].flatMap { $0 > 0 ? 1...$0 : nil }
    case 2:
      guard let first = parts[0], let last = parts[1], first > 0, first <= last else { return nil }
      return first...last
    default: return nil
    }
  }
}
