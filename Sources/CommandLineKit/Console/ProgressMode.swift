/// Form of the progress.
package enum ProgressMode: String, CaseIterable, Sendable {
  /// A bar on a terminal, lines elsewhere.
  case auto
  /// One line that is redrawn.
  case bar
  /// A line now and then.
  case plain
  /// No progress.
  case none

  /// Returns the mode that `auto` stands for; `isQuiet` is the user's wish for silence.
  package func resolved(isInteractive: Bool, isQuiet: Bool) -> ProgressMode {
    guard self == .auto else { return self }
    return isQuiet ? .none : isInteractive ? .bar : .plain
  }
}
