/// Weight of a line about calls.
public enum CallLogLevel: Int, Hashable, Sendable, CaseIterable {
  /// A step.
  case normal = 0
  /// A message or call that was ignored.
  case warning = 1
  /// A fault.
  case error = 2
}
