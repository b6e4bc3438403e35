/// Severity of a line of the log.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// The engine cannot continue.
  case critical = 0x8
  /// A requested action failed.
  case error = 0x4
  /// Something went wrong and the engine continues by itself.
  case warn = 0x2
  /// An action was completed.
  case info = 0x1
  /// Everything else that happens, including reports of volumes.
  case debug = 0x800

  /// Name of the level in the log's lines.
  public var name: String { "\(self)" }

  /// Returns whether the first level is less severe than the second.
  public static func < (first: LogLevel, second: LogLevel) -> Bool {
    allCases.firstIndex(of: first)! > allCases.firstIndex(of: second)!
  }
}
