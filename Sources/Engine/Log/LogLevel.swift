/// How grave a line of the log is.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// The engine cannot go on.
  case critical = 0x8
  /// Something that was asked for failed.
  case error = 0x4
  /// Something went wrong and the engine goes on by itself.
  case warn = 0x2
  /// What was done.
  case info = 0x1
  /// All that happens besides, reports of volumes among it.
  case debug = 0x800

  /// What lines call it.
  public var name: String { "\(self)" }

  /// The graver is the greater.
  public static func < (first: LogLevel, second: LogLevel) -> Bool {
    allCases.firstIndex(of: first)! > allCases.firstIndex(of: second)!
  }
}
