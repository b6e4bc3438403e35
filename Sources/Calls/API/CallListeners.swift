import Platform

/// The listeners of calls, which nobody retains here.
final class CallListeners: Sendable {
  private struct Entry {
    weak var listener: (any CallListener)?
  }

  private let entries = Guarded<[Entry]>([])

  func add(_ listener: any CallListener) {
    entries.withLock { entries in
      entries.removeAll { $0.listener == nil || $0.listener === listener }
      entries.append(Entry(listener: listener))
    }
  }

  func remove(_ listener: any CallListener) {
    entries.withLock { $0.removeAll { $0.listener == nil || $0.listener === listener } }
  }

  /// Calls all listeners.
  func notify(_ body: (any CallListener) -> Void) { for listener in all { body(listener) } }

  var all: [any CallListener] { entries.withLock { $0.compactMap(\.listener) } }
}
