/// Importance of a message; the more important, the smaller.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// The job, or one of its inputs, fails.
  case error
  /// The job continues, but the result may not be the wanted one.
  case warning
  /// Information for users.
  case info
  /// Information for the search of a fault.
  case debug

  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
