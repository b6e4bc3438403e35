import Calls
import Platform

/// Listeners of a client, which it does not retain. Thread: any; listeners are called outside the lock.
final class SignalListeners: Sendable {
  private struct Entry {
    weak var listener: (any SignalListener)?
  }

  private let entries = Guarded<[Entry]>([])

  func add(_ listener: any SignalListener) {
    entries.withLock { entries in
      entries.removeAll { $0.listener == nil }
      if !entries.contains(where: { $0.listener === listener }) { entries.append(Entry(listener: listener)) }
    }
  }

  func remove(_ listener: any SignalListener) {
    entries.withLock { $0.removeAll { $0.listener == nil || $0.listener === listener } }
  }

  func removeAll() { entries.withLock { $0.removeAll() } }

  func receive(_ message: String, from userID: String) {
    for listener in current { listener.onMessageReceive(message, from: userID) }
  }

  func log(_ line: String, _ level: CallLogLevel = .normal) {
    for listener in current { listener.debugInfo(line, level: level) }
  }

  private var current: [any SignalListener] { entries.withLock { $0.compactMap(\.listener) } }
}
