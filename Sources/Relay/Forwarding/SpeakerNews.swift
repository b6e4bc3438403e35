/// Knowledge of the signalling about the speakers that a listener hears.
enum SpeakerNews {
  /// The listener wants no reports.
  case unwanted
  /// The signalling has reported the present ones.
  case known
  /// The next choice notifies the signalling.
  case changed
  /// The signalling was notified, and has not made its report.
  case noted

  /// Notes that the speakers are others.
  mutating func change() { if self == .known { self = .changed } }
}
