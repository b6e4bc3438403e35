import Foundation

/// Whether tests may take minutes: where AUDIOPIPE_LONG=1 is set.
enum LongTests {
  static let areWanted = ProcessInfo.processInfo.environment["AUDIOPIPE_LONG"] == "1"
}
