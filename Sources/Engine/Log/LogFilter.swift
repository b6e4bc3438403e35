/// Which lines come into the log: a set of levels. The numbers are a contract.
public struct LogFilter: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Nothing.
  public static let off = LogFilter(rawValue: 0)
  /// What is critical.
  public static let critical = LogFilter(rawValue: 0x8)
  /// That and errors.
  public static let error = LogFilter(rawValue: 0xc)
  /// That and warnings.
  public static let warn = LogFilter(rawValue: 0xe)
  /// That and what was done.
  public static let info = LogFilter(rawValue: 0xf)
  /// Everything.
  public static let debug = LogFilter(rawValue: 0x80f)

  /// True where lines of this level come into the log.
  public func contains(_ level: LogLevel) -> Bool { rawValue & level.rawValue != 0 }
}
