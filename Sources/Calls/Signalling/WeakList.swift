import Platform

/// Listeners that nobody retains here, in the order of their additions. Thread: any.
package final class WeakList<Listener: Sendable>: Sendable {
  private struct Entry: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the object is a listener, which is sendable itself.
    weak var object: AnyObject?
  }

  private let entries = Guarded<[Entry]>([])

  package init() {}

  /// Adds a listener, unless it is there already.
  package func add(_ listener: Listener) {
    let object = listener as AnyObject
    entries.withLock { entries in
      entries.removeAll { $0.object == nil }
      if !entries.contains(where: { $0.object === object }) { entries.append(Entry(object: object)) }
    }
  }

  package func remove(_ listener: Listener) {
    let object = listener as AnyObject
    entries.withLock { $0.removeAll { $0.object == nil || $0.object === object } }
  }

  package func removeAll() { entries.withLock { $0.removeAll() } }

  /// Listeners of the moment; call them without a lock.
  package var all: [Listener] { entries.withLock { $0.compactMap { $0.object as? Listener } } }
}
