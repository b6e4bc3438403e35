/// How progress is shown.
enum ProgressMode: String, CaseIterable, Sendable {
  /// A bar on a terminal, lines elsewhere.
  case auto
  /// One line that is drawn anew.
  case bar
  /// A line now and then.
  case plain
  /// Nothing.
  case none

  /// What `auto` means here; silence was asked for by `isQuiet`.
  func resolved(isInteractive: Bool, isQuiet: Bool) -> ProgressMode {
    guard self == .auto else { return self }
    return isQuiet ? .none : isInteractive ? .bar : .plain
  }
}
