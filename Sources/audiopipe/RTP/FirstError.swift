import AudioGraph

/// The first reason for which a file could not be written on, from another thread.
final class FirstError: Sendable {
  private let stored = Guarded<String?>(nil)

  var reason: String? { stored.withLock { $0 } }

  func set(_ reason: String) { stored.withLock { $0 = $0 ?? reason } }
}
