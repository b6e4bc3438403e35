import Foundation

/// Whether tests may take minutes: where AUDIOPIPE_LONG=1 is set.
enum LongTests {
  static let areWanted = ProcessInfo.processInfo.environment["AUDIOPIPE_LONG"] == "1"

  /// Whether tests are built with optimisation, and so a hundred times faster in loops over samples.
  static var areOptimised: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }())
    return !isDebug
  }
}
