/// How important a message is; the more important, the smaller.
enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// The job, or one of its inputs, fails.
  case error
  /// The job goes on, but the result may not be what was wanted.
  case warning
  /// What a user wants to know.
  case info
  /// What somebody who looks for a fault wants to know.
  case debug

  var name: String { "\(self)" }

  init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
