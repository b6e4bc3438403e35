import AudioGraph

/// Texts that a sink was given, and a clock that is set by hand.
package final class Lines: Sendable {
  private let texts = Guarded<[String]>([])

  package init() {}

  package func append(_ text: String) { texts.withLock { $0.append(text) } }

  /// Each text as it came.
  package var all: [String] { texts.withLock { $0 } }
  package var joined: String { all.joined() }
}

/// A monotonic clock that stands still until it is moved.
package final class ManualClock: Sendable {
  private let moment = Guarded(Duration.seconds(1000))

  package init() {}

  package var now: Duration { moment.withLock { $0 } }
  package func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}
