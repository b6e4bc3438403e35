import AudioGraph

/// Texts that a sink was given, and a clock that is set by hand.
final class Lines: Sendable {
  private let texts = Guarded<[String]>([])

  func append(_ text: String) { texts.withLock { $0.append(text) } }

  /// Each text as it came.
  var all: [String] { texts.withLock { $0 } }
  var joined: String { all.joined() }
}

/// A monotonic clock that stands still until it is moved.
final class ManualClock: Sendable {
  private let moment = Guarded(Duration.seconds(1000))

  var now: Duration { moment.withLock { $0 } }
  func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}
