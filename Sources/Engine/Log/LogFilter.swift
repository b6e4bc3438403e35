/// Set of the levels that come into the log. The numbers are a contract.
public struct LogFilter: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No lines.
  public static let off = LogFilter(rawValue: 0)
  /// Critical lines.
  public static let critical = LogFilter(rawValue: 0x8)
  /// Critical lines and errors.
  public static let error = LogFilter(rawValue: 0xc)
  /// Critical lines, errors and warnings.
  public static let warn = LogFilter(rawValue: 0xe)
  /// Critical lines, errors, warnings and completed actions.
  public static let info = LogFilter(rawValue: 0xf)
  /// Every line.
  public static let debug = LogFilter(rawValue: 0x80f)

  /// Returns whether lines of this level come into the log.
  public func contains(_ level: LogLevel) -> Bool { rawValue & level.rawValue != 0 }
}
