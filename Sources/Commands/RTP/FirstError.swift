import AudioGraph

/// First reason for which the writing of a file could not continue, from another thread.
final class FirstError: Sendable {
  private let stored = Guarded<String?>(nil)

  var reason: String? { stored.withLock { $0 } }

  func set(_ reason: String) { stored.withLock { $0 = $0 ?? reason } }
}
